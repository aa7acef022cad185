import Glibc
import Testing
import WeirJSON
import WeirTesting

/// Files of expected JSON in `Goldens/`; `WEIR_RECORD=1` writes them anew, and such a run fails.
enum Golden {
    private static let folder = String(#filePath.dropLast("Golden.swift".count)) + "Goldens/"

    /// The file `name`.
    static func text(_ name: String) throws -> [UInt8] { try TextFile.read(folder + name + ".json") }

    /// Compares a body with the file `name`, laid out for people.
    static func expect(_ body: [UInt8], is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = try JSONReader.read(body).masked.laidOut() + "\n"
        let path = folder + name + ".json"
        guard getenv("WEIR_RECORD") == nil else {
            let file = try #require(fopen(path, "we"), "\(path) cannot be written", sourceLocation: sourceLocation)
            fputs(text, file)
            fclose(file)
            Issue.record("\(name) was recorded; run again without WEIR_RECORD.", sourceLocation: sourceLocation)
            return
        }
        let wanted = String(decoding: try Self.text(name), as: UTF8.self)
        let pairs = zip(text.split(separator: "\n"), wanted.split(separator: "\n"))
        let difference = pairs.first { $0 != $1 }.map { "\($0) instead of \($1)" } ?? "the end differs"
        #expect(text == wanted, "\(name): \(difference)", sourceLocation: sourceLocation)
    }
}

extension JSONValue {
    /// The same without what differs from run to run, or belongs to the VAST writer's own tests.
    fileprivate var masked: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.masked))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        let (key, value) = (member.key, member.value)
                        let isHidden = key == "vast" || key == "presentation_token"
                        return (key, isHidden && value.string != nil ? "…" : value.masked)
                    }
                )
            )
        default: self
        }
    }

    /// One member a line, short and flat values on one.
    fileprivate func laidOut(_ indent: String = "") -> String {
        let compact = encodedText
        guard compact.utf8.count > 80 else { return compact }
        let deeper = indent + "  "
        switch self {
        case .array(let elements):
            let lines = elements.map { deeper + $0.laidOut(deeper) }
            return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
        case .object(let object):
            let lines = object.members.map { member in
                deeper + JSONValue.string(member.key).encodedText + ": " + member.value.laidOut(deeper)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
        default: return compact
        }
    }
}

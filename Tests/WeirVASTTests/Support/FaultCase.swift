import Testing

@testable import WeirVAST

/// One reported fault of VAST tools as a file of our own: what to expect, then the documents, each behind its URL.
struct FaultCase: Sendable, CustomTestStringConvertible {
    var name: String
    var title = ""
    var expectations: [(key: String, value: String)] = []
    /// Documents in order; the first is the one that is resolved.
    var documents: [(url: String, text: String)] = []

    var testDescription: String { "\(name): \(title)" }

    /// The number of the fault in the list of reported faults, such as `B05`.
    var fault: String { String(name.prefix { $0 != "-" }) }

    subscript(key: String) -> String? { expectations.first { $0.key == key }?.value }

    init(name: String, text: String) {
        self.name = name
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("--- ") {
                documents.append((String(line.dropFirst(4)), ""))
            } else if !documents.isEmpty {
                documents[documents.count - 1].text += line + "\n"
            } else if line.hasPrefix("# ") {
                title = String(line.dropFirst(2))
            } else if let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                expectations.append((String(line[..<colon]), String(value)))
            }
        }
    }

    /// Every case in `Fixtures/faults`.
    static let all: [FaultCase] = {
        let folder =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
            .joined(separator: "/") + "/Fixtures/faults/"
        return fileNames(in: folder).filter { $0.hasSuffix(".case") }.map { name in
            FaultCase(name: String(name.dropLast(5)), text: String(decoding: read(folder + name) ?? [], as: UTF8.self))
        }
    }()
}

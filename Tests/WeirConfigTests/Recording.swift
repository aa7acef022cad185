import Glibc
import WeirConfig

/// Writes files that are made from the tables anew: `WEIR_RECORD=1`; a run that records fails.
enum Recording {
    static let isOn = SystemFiles.environment("WEIR_RECORD") == "1"

    static func write(_ text: String, to path: String) throws {
        guard let file = fopen("\(Fixtures.root)/\(path)", "w") else {
            throw SystemFiles.Problem(description: "\(path) cannot be written")
        }
        defer { fclose(file) }
        fputs(text, file)
    }
}

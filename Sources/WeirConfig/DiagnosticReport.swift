package import WeirJSON

/// The complaints about one file, as `weir check --json` and a refused reload show them.
package struct DiagnosticReport: Sendable {
    /// The complaints, in the order of the file.
    package var diagnostics: [Diagnostic]

    /// A report.
    package init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// Whether the configuration can be used: there are warnings at most.
    package var isValid: Bool { !diagnostics.contains { $0.severity == .error } }

    /// One complaint a line, for people.
    package var text: String { diagnostics.map { $0.text + "\n" }.joined() }

    /// `{"valid":bool,"diagnostics":[…]}`.
    package func encoded(pretty: Bool = false) -> [UInt8] {
        var json = JSONWriter(pretty: pretty)
        json.object { json in
            json.member("valid", isValid)
            Self.write(diagnostics, to: &json)
        }
        return json.bytes
    }

    /// Writes the member `diagnostics`, for answers that carry more than a report.
    package static func write(_ diagnostics: [Diagnostic], to json: inout JSONWriter) {
        json.array("diagnostics") { json in
            for diagnostic in diagnostics {
                json.object { json in
                    json.member("severity", diagnostic.severity.rawValue)
                    json.member("code", diagnostic.code.rawValue)
                    json.member("file", diagnostic.file)
                    json.member("line", diagnostic.line)
                    json.member("column", diagnostic.column)
                    json.member("path", diagnostic.path)
                    json.member("message", diagnostic.message)
                    json.member("hint", diagnostic.hint)
                }
            }
        }
    }
}

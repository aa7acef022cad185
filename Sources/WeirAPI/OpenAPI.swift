internal import CWeirDocuments

/// The description of the HTTP API, served at `/openapi.json`.
package enum OpenAPI {
    /// The document, as JSON: `Sources/CWeirDocuments/documents/openapi.json`, inside the executable.
    package static let document: [UInt8] = {
        let file = cweirdocuments_openapi()
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }()
}

internal import CWeirDocuments

extension SwiftScaffold {
    /// The adapter of docs/adapters.md, which is compiled and tested with the docs.
    static let example = text(cweirdocuments_adapter())
}

extension ProcessScaffold {
    /// What makes a Python program an adapter, as the example in the tree uses it.
    static let library = text(cweirdocuments_adapter_library())
}

private func text(_ document: CWeirDocument) -> String {
    String(decoding: UnsafeBufferPointer(start: document.bytes, count: document.count), as: UTF8.self)
}

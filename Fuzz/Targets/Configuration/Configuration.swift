import WeirConfig

/// Reads bytes as a configuration file and as a declared network's, with no file and no environment within reach.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfiguration(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let reader = ConfigurationReader(
        factories: [],
        environment: { _ in nil },
        readFile: { _, _ in throw SystemFiles.Problem(description: "there are no files") }
    )
    for lenient in [false, true] {
        let result = reader.read(bytes, file: "fuzz.json", lenient: lenient)
        precondition(result.configuration != nil || !result.report.isValid, "Nothing is wrong, and nothing was read.")
    }
    let network = NetworkFileReader(adapters: []) { _, _ in throw SystemFiles.Problem(description: "there are no files")
    }
    .read(bytes, file: "fuzz.json")
    precondition(network.factory != nil || !network.diagnostics.isEmpty, "Nothing is wrong, and nothing was read.")
    return 0
}

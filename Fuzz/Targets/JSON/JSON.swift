import WeirJSON

/// Reads bytes as JSON; what is read must be the same after writing and reading.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    do throws(JSONError) {
        let value = try JSONReader.read(bytes)
        let again = try JSONReader.read(value.encoded())
        precondition(again == value, "It is not what was written.")
        let pretty = try JSONReader.read(value.encoded(pretty: true))
        precondition(pretty == value, "It is not what was written prettily.")
    } catch {
        precondition(error.line >= 0 && error.column >= 0)
    }
    return 0
}

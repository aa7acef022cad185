internal import CUV

/// A call to the operating system that did not succeed.
package struct RuntimeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The negated `errno`, as libuv counts; stable on one platform.
    package let code: Int32
    /// One sentence: what was tried and why it failed.
    package let reason: String

    /// A failure of `operation` with libuv's code.
    package init(code: Int32, operation: String) {
        self.code = code
        var buffer = [CChar](repeating: 0, count: 128)
        let text = buffer.withUnsafeMutableBufferPointer { space -> String in
            guard let base = space.baseAddress, let message = uv_strerror_r(code, base, space.count) else { return "?" }
            return String(cString: message)
        }
        reason = "\(operation) failed: \(text)."
    }

    /// The reason.
    package var description: String { reason }

    /// The reader at the other end has gone.
    static var brokenPipe: RuntimeFailure { RuntimeFailure(code: UV_EPIPE.rawValue, operation: "writing to a pipe") }

    /// Throws unless `code` says success.
    static func check(_ code: Int32, _ operation: @autoclosure () -> String) throws(RuntimeFailure) {
        if code < 0 { throw RuntimeFailure(code: code, operation: operation()) }
    }
}

/// What a child reads.
///
/// Its methods can be called from anywhere; concurrent writes do not mix their bytes.
///
/// `@unchecked Sendable`: state is touched on the loop's thread only, which every method goes to.
package final class PipeWriter: LoopStreamDelegate, @unchecked Sendable {
    /// Bytes that may wait for a child that reads slowly before writing waits, too.
    package static let queueBytes = 65536

    private let stream: LoopStream
    private let news: LoopNews

    init(stream: LoopStream) {
        self.stream = stream
        news = LoopNews(loop: stream.loop)
        stream.delegate = self
    }

    /// Sends `bytes`; returns when the child has taken so many that less than 64 KiB wait.
    ///
    /// - Throws: `RuntimeFailure` when the child reads no more; `CancellationError` as soon as the task is cancelled,
    ///   with the bytes on their way all the same.
    package func write(_ bytes: [UInt8]) async throws {
        try await stream.loop.perform { () async throws -> Void in
            guard self.stream.write(bytes) else {
                self.stream.close()
                throw RuntimeFailure.brokenPipe
            }
            while self.stream.queuedBytes >= Self.queueBytes {
                try await self.news.wait()
                if self.stream.isClosed { throw RuntimeFailure.brokenPipe }
            }
        }
    }

    /// Sends `bytes` without waiting, however much waits already; call it on the loop.
    ///
    /// Whoever does so bounds ``queuedBytes`` himself.
    ///
    /// - Returns: `false` when the child reads no more.
    package func send(_ bytes: [UInt8]) -> Bool {
        if stream.write(bytes) { return true }
        stream.close()
        return false
    }

    /// Bytes that wait for the child; to be read on the loop.
    package var queuedBytes: Int { stream.queuedBytes }

    /// Tells the child that nothing more comes, once it has taken what waits.
    package func finish() {
        stream.loop.submit { self.stream.finishWriting() }
    }

    func close() {
        stream.close()
        news.announce()
    }

    // MARK: Stream

    package func stream(_ stream: LoopStream, received bytes: UnsafeRawBufferPointer) {}

    package func stream(_ stream: LoopStream, ended failure: RuntimeFailure?) {
        close()
    }

    package func stream(_ stream: LoopStream, wroteQueued failure: RuntimeFailure?) {
        if failure != nil { return close() }
        news.announce()
    }
}

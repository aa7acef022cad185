/// A line that is longer than its reader allows.
package struct LineTooLong: Error, Hashable, Sendable {
    /// The limit in bytes.
    package let limit: Int
}

/// What a child writes, in pieces or line by line.
///
/// At most `limit` bytes (and one read more) are kept: a child that is not listened to waits in its own write.
/// Its methods can be called from anywhere; two readers at once get what they can.
///
/// `@unchecked Sendable`: state is touched on the loop's thread only, which every method goes to.
package final class PipeReader: LoopStreamDelegate, @unchecked Sendable {
    private let stream: LoopStream
    private let limit: Int
    private let news: LoopNews
    private var buffer = LineBuffer()
    private var hasEnded = false

    init(stream: LoopStream, limit: Int) {
        self.stream = stream
        self.limit = max(1, limit)
        news = LoopNews(loop: stream.loop)
        stream.delegate = self
        stream.setReading(true)
    }

    /// What has come, as soon as something has; `nil` at the end.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func next() async throws -> [UInt8]? {
        try await stream.loop.perform { () async throws -> [UInt8]? in
            while self.buffer.count == 0 {
                if self.hasEnded { return nil }
                try await self.news.wait { self.buffer.count == 0 && !self.hasEnded }
            }
            let bytes = self.buffer.takeAll()
            self.readOn()
            return bytes
        }
    }

    /// The next line, without its end; `nil` when there is no more.
    ///
    /// What follows the last line end is a line, too.
    ///
    /// - Throws: `LineTooLong`, again and again, once a line exceeds the limit; `CancellationError` as soon as the
    ///   task is cancelled.
    package func nextLine() async throws -> [UInt8]? {
        try await stream.loop.perform { () async throws -> [UInt8]? in
            while true {
                if let line = self.buffer.takeLine() {
                    self.readOn()
                    return line
                }
                if self.buffer.count >= self.limit { throw LineTooLong(limit: self.limit) }
                if self.hasEnded { return self.buffer.count == 0 ? nil : self.buffer.takeAll() }
                let read = self.buffer.count
                try await self.news.wait { self.buffer.count == read && !self.hasEnded }
            }
        }
    }

    private func readOn() {
        if !hasEnded && buffer.count < limit { stream.setReading(true) }
    }

    func close() {
        if hasEnded { return }
        hasEnded = true
        stream.close()
        news.announce()
    }

    // MARK: Stream

    package func stream(_ stream: LoopStream, received bytes: UnsafeRawBufferPointer) {
        buffer.append(bytes)
        if buffer.count >= limit { stream.setReading(false) }
        news.announce()
    }

    package func stream(_ stream: LoopStream, ended failure: RuntimeFailure?) {
        // A broken pipe and a closed one mean the same to a reader.
        close()
    }

    package func stream(_ stream: LoopStream, wroteQueued failure: RuntimeFailure?) {}
}

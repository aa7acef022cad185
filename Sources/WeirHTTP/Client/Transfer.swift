internal import CCurl
internal import WeirAdapterKit
internal import WeirRuntime
internal import WeirTime

/// A libcurl handle with its alarm clock, for one errand that runs as a transfer of libcurl's own.
///
/// One errand a handle: libcurl 7.88 keeps a pointer to the last header line of an answer beyond `curl_easy_reset`, and a
/// next answer that begins with a folded line would have it free that line twice.
final class Transfer: CurlUser {
    private(set) var errand: Errand?
    /// The answer so far.
    var collector = ResponseCollector(maxHeaderBytes: 0, maxBodyBytes: 0, isHead: false)
    private var decoder: BodyDecoder?
    private var decoding = Inflater.Outcome.taken
    /// The connections it uses while an errand is under way.
    private(set) var pool: ConnectionPool?
    private var alarm: Alarm?

    /// Whether the server may have read a part of the request.
    var mayHaveArrived: Bool { reach?.isConnected ?? false }

    /// `nil` when no memory is left; `rang` is called on the loop when an errand's time may be up.
    init?(loop: EventLoop, rang: @escaping (Transfer) -> Void) {
        super.init()
        alarm = Alarm(loop: loop) { [weak self] in if let self { rang(self) } }
    }

    /// Hands `errand` to libcurl.
    func begin(_ errand: Errand, _ pool: ConnectionPool, now: ContinuousClock.Instant) {
        self.errand = errand
        self.pool = pool
        reach = Reach(allowed: errand.policy.allowPrivate)
        collector = ResponseCollector(
            maxHeaderBytes: errand.policy.maxHeaderBytes,
            maxBodyBytes: errand.policy.maxBodyBytes,
            isHead: errand.head.isHead
        )
        handle.configure(
            errand.head,
            errand.policy,
            user: Unmanaged.passUnretained(self).toOpaque(),
            pool: Unmanaged.passUnretained(pool).toOpaque()
        )
        setAlarm(now: now)
        pool.add(handle)
    }

    /// Rings at the deadline, never before.
    func setAlarm(now: ContinuousClock.Instant) {
        if let errand { alarm?.set(errand.deadline, now: now) }
    }

    /// Takes the handle out of libcurl, which closes the connection unless the answer is complete.
    ///
    /// - Returns: The errand that ended; nobody has been told yet.
    func end() -> Errand? {
        guard let errand else { return nil }
        pool?.remove(handle)
        alarm?.stop()
        self.errand = nil
        pool = nil
        reach = nil
        return errand
    }

    /// What came of the errand, by libcurl's verdict.
    func outcome(_ code: CURLcode) -> Result<InboundResponse, TransportError>? {
        guard let errand else { return nil }
        if code == CURLE_OK { return .success(collector.response) }
        return .failure(failure(decoding == .bad ? CURLE_BAD_CONTENT_ENCODING : code, errand, breach: breach).error)
    }

    /// What the answer broke: a body that was stopped and broke nothing else was too long as it unfolded.
    private var breach: ResponseCollector.Breach? { collector.breach ?? (decoding == .stopped ? .bodyTooLarge : nil) }

    /// Takes a piece of the body as it came; `false` to give up.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !collector.codings.isEmpty, let errand else { return collector.addBody(bytes) }
        var decoder = decoder ?? BodyDecoder(collector.codings, maxBytes: errand.policy.maxBodyBytes)
        decoding = decoder.take(bytes) { collector.addBody($0) }
        self.decoder = decoder
        return decoding == .taken
    }

    /// The transfer behind a pointer that a callback got.
    static func receiving(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
        pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

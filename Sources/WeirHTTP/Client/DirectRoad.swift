internal import CCurl
internal import WeirAdapterKit
internal import WeirRuntime
internal import WeirTime

/// The fast road of one partition: connections that libcurl opens, on which requests and answers are ours.
///
/// ``ConnectionLedger`` decides who uses which connection and ``ResponseReader`` what the bytes mean; this carries out
/// what they say. It belongs to the loop's thread; close it there before letting go of it.
final class DirectRoad {
    private let loop: EventLoop
    private let pool: ConnectionPool
    private let clock: any GatewayClock
    private let idleTime: Duration
    private let ended: (Exchange, Result<InboundResponse, TransportError>) -> Void
    private var ledger: ConnectionLedger
    private var exchanges: [ConnectionLedger.RequestID: Exchange] = [:]
    private var wires: [ConnectionLedger.ConnectionID: Wire] = [:]
    private var orders: [ConnectionLedger.Order] = []
    private var isCarryingOut = false
    private var sweeper: LoopTimer?
    private var isSweeping = false

    /// `ended` is told what came of each exchange; it has no connection any more then.
    init(
        loop: EventLoop,
        limits: ClientLimits,
        pool: ConnectionPool,
        clock: any GatewayClock,
        ended: @escaping (Exchange, Result<InboundResponse, TransportError>) -> Void
    ) {
        self.loop = loop
        self.pool = pool
        self.clock = clock
        self.ended = ended
        idleTime = limits.idleTime
        ledger = ConnectionLedger(limits)
        sweeper = LoopTimer(loop: loop) { [weak self] in self?.sweep() }
    }

    /// Requests under way.
    var exchangeCount: Int { exchanges.count }
    /// Connections that are open.
    var wireCount: Int { wires.count }

    /// Sends the exchange's request as soon as there is a connection for it.
    func start(_ exchange: Exchange) {
        guard let errand = exchange.errand else { return }
        exchanges[errand.id] = exchange
        carryOut(ledger.ask(errand.id, errand.head.url.origin))
    }

    /// Ends an exchange before its time, and closes its connection.
    func abandon(_ exchange: Exchange, _ error: TransportError) {
        guard let errand = exchange.errand, exchanges.removeValue(forKey: errand.id) != nil else { return }
        let (dial, wire) = (exchange.dial, exchange.wire)
        ended(exchange, .failure(error))
        if let wire {
            drop(wire)
        } else if let dial {
            dial.end()
            carryOut(ledger.closed(dial.connection))
        } else {
            ledger.withdraw(errand.id, errand.head.url.origin)
        }
    }

    /// libcurl has connected, or failed to.
    func dialled(_ dial: Dial, _ code: CURLcode) {
        guard let exchange = exchanges[dial.request], exchange.dial === dial, let errand = exchange.errand else {
            return dial.end()
        }
        exchange.dial = nil
        var code = code
        if code == CURLE_OK {
            if let wire = wire(of: dial, isSecure: errand.head.url.isSecure) {
                wires[dial.connection] = wire
                send(exchange, wire)
                return
            }
            code = dial.reach?.refused == nil ? CURLE_COULDNT_CONNECT : CURLE_ABORTED_BY_CALLBACK
        }
        var error = dial.failure(code, errand).error
        error.mayHaveArrived = exchange.mayHaveArrived
        dial.end()
        finish(exchange, .failure(error))
        carryOut(ledger.closed(dial.connection))
    }

    /// Closes all connections; the exchanges must have been abandoned.
    func close() {
        for wire in wires.values { wire.close() }
        wires = [:]
        sweeper?.cancel()
        sweeper = nil
    }
}

// MARK: Orders

extension DirectRoad {
    /// Does what the ledger says, which may make it say more.
    private func carryOut(_ more: [ConnectionLedger.Order]) {
        orders += more
        if isCarryingOut { return }
        isCarryingOut = true
        while !orders.isEmpty {
            let batch = orders
            orders = []
            for order in batch { carryOut(order) }
        }
        isCarryingOut = false
    }

    private func carryOut(_ order: ConnectionLedger.Order) {
        switch order {
        case .close(let connection): wires.removeValue(forKey: connection)?.close()
        case .use(let connection, let request):
            guard let wire = wires[connection] else { return }
            if let exchange = exchanges[request] { send(exchange, wire) } else { release(wire) }
        case .open(let connection, _, let request):
            guard let exchange = exchanges[request], let errand = exchange.errand else {
                return carryOut(ledger.closed(connection))
            }
            guard let dial = Dial(connection, for: request, errand.head.url, pool) else {
                let message = "\(errand.head.url.authority): no memory is left for the request."
                finish(exchange, .failure(TransportError(.saturated, message)))
                return carryOut(ledger.closed(connection))
            }
            exchange.dial = dial
            dial.begin(errand.policy)
        }
    }

    private func wire(of dial: Dial, isSecure: Bool) -> Wire? {
        guard let descriptor = dial.takeDescriptor() else { return nil }
        return Wire(
            dial.connection,
            loop: loop,
            descriptor: descriptor,
            secure: isSecure ? dial : nil,
            ready: { [weak self] wire, events in self?.happened(wire, events) }
        )
    }

    private func release(_ wire: Wire) {
        carryOut(ledger.release(wire.connection, now: clock.now))
        if isSweeping { return }
        isSweeping = true
        sweeper?.schedule(after: idleTime)
    }

    private func drop(_ wire: Wire) {
        wires[wire.connection] = nil
        wire.close()
        carryOut(ledger.closed(wire.connection))
    }

    private func sweep() {
        carryOut(ledger.sweep(now: clock.now))
        isSweeping = ledger.idleCount > 0
        if isSweeping { sweeper?.schedule(after: idleTime / 2) }
    }
}

// MARK: Requests and answers

extension DirectRoad {
    private func send(_ exchange: Exchange, _ wire: Wire) {
        guard let errand = exchange.errand else { return release(wire) }
        // What came while it idled would be taken for the answer.
        if wire.uses > 0 && wire.isStale {
            drop(wire)
            return carryOut(ledger.ask(errand.id, errand.head.url.origin))
        }
        exchange.wire = wire
        wire.exchange = exchange
        wire.reader.begin(
            ResponseReader.Rules(
                maxHeaderBytes: errand.policy.maxHeaderBytes,
                maxBodyBytes: errand.policy.maxBodyBytes,
                isHead: errand.head.isHead
            )
        )
        if !wire.send(errand.head.bytes(userAgent: errand.policy.userAgent)) { sendingFailed(exchange, wire) }
    }

    /// An answer may have come all the same: that the request is refused, for one.
    private func sendingFailed(_ exchange: Exchange, _ wire: Wire) {
        receive(wire)
        if wire.exchange === exchange { lose(exchange, wire, CURLE_SEND_ERROR) }
    }

    private func happened(_ wire: Wire, _ events: LoopPoll.Events) {
        guard let exchange = wire.exchange else {
            // The other side has ended an idle connection, or says what nobody asked for.
            if !wire.isSecure || wire.read() != .nothingYet { drop(wire) }
            return
        }
        if events.contains(.writable) && !wire.sendMore() { return sendingFailed(exchange, wire) }
        receive(wire)
        if events.contains(.failed) { wire.watchAgain() }
    }

    private func receive(_ wire: Wire) {
        while let exchange = wire.exchange {
            switch wire.read() {
            case .nothingYet: return
            case .broken: return lose(exchange, wire, CURLE_RECV_ERROR)
            case .ended: return judge(wire.reader.finish(), exchange, wire, isClean: false)
            case .bytes(let count):
                let isFull = count == EventLoop.receiveBytes
                let (consumed, event) = wire.reader.read(
                    UnsafeRawBufferPointer(start: loop.receiveBuffer, count: count)
                )
                if event == .needsMore {
                    // A plain socket that gave less than there is room for has no more.
                    if !wire.isSecure && !isFull { return }
                    continue
                }
                let mayHaveMore = wire.isSecure || isFull
                let isClean = consumed == count && (!mayHaveMore || wire.read() == .nothingYet)
                return judge(event, exchange, wire, isClean: isClean)
            }
        }
    }

    private func judge(_ event: ResponseReader.Event, _ exchange: Exchange, _ wire: Wire, isClean: Bool) {
        switch event {
        case .needsMore: return
        case .complete:
            let mayBeKept = isClean && wire.reader.keepsAlive && wire.hasSentAll
            wire.exchange = nil
            finish(exchange, .success(wire.reader.takeResponse()))
            if mayBeKept { release(wire) } else { drop(wire) }
        case .fault(.nothing): lose(exchange, wire, CURLE_GOT_NOTHING)
        case .fault(.partial): lose(exchange, wire, CURLE_PARTIAL_FILE)
        case .fault(.notHTTP): lose(exchange, wire, CURLE_WEIRD_SERVER_REPLY)
        case .fault(.badEncoding): lose(exchange, wire, CURLE_BAD_CONTENT_ENCODING)
        case .fault(.breach(let breach)): lose(exchange, wire, CURLE_WRITE_ERROR, breach)
        }
    }

    /// The connection has failed the exchange, which gets another one when nothing can have come of its request.
    private func lose(
        _ exchange: Exchange,
        _ wire: Wire,
        _ code: CURLcode,
        _ breach: ResponseCollector.Breach? = nil
    ) {
        guard let errand = exchange.errand else { return drop(wire) }
        // A server may end a kept connection in the moment in which it is used again. What must not happen twice is
        // sent again only when it cannot have been read to its end.
        let mayRetry =
            wire.uses > 1 && !wire.reader.hasBegun && !exchange.hasRetried
            && (errand.head.isIdempotent || !wire.hasSentAll)
        exchange.wire = nil
        wire.exchange = nil
        if mayRetry {
            exchange.hasRetried = true
            drop(wire)
            return carryOut(ledger.ask(errand.id, errand.head.url.origin, fresh: true))
        }
        let failure = TransferFailure(
            code: code,
            url: errand.head.url,
            policy: errand.policy,
            breach: breach,
            hasTried: true,
            hasBegun: true
        )
        finish(exchange, .failure(failure.error))
        drop(wire)
    }

    private func finish(_ exchange: Exchange, _ outcome: Result<InboundResponse, TransportError>) {
        guard let errand = exchange.errand, exchanges.removeValue(forKey: errand.id) != nil else { return }
        ended(exchange, outcome)
    }
}

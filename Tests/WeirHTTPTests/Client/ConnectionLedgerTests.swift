import Testing

@testable import WeirHTTP

@Suite("ConnectionLedger")
struct ConnectionLedgerTests {
    private let start = ContinuousClock.now
    private let ads = OutboundURL.Origin(host: "ads.example", port: 80, isSecure: false)
    private let tls = OutboundURL.Origin(host: "ads.example", port: 443, isSecure: true)
    private let other = OutboundURL.Origin(host: "other.example", port: 80, isSecure: false)

    private func ledger(total: Int = 4, host: Int = 2) -> ConnectionLedger {
        var limits = ClientLimits()
        limits.maxConnections = total
        limits.maxConnectionsPerHost = host
        limits.idleTime = .seconds(10)
        return ConnectionLedger(limits)
    }

    private func expect(
        _ orders: [ConnectionLedger.Order],
        _ wanted: [ConnectionLedger.Order],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(orders == wanted, sourceLocation: sourceLocation)
    }

    @Test("a connection that idles is used again, the one that began last first")
    func reuse() {
        var ledger = ledger()
        expect(ledger.ask(1, ads), [.open(1, ads, 1)])
        expect(ledger.ask(2, ads), [.open(2, ads, 2)])
        expect(ledger.release(1, now: start), [])
        expect(ledger.release(2, now: start), [])
        expect(ledger.ask(3, ads), [.use(2, 3)])
        expect(ledger.ask(4, ads), [.use(1, 4)])
        #expect(ledger.connectionCount == 2 && ledger.idleCount == 0)
    }

    @Test("scheme, host and port keep connections apart")
    func origins() {
        var ledger = ledger()
        _ = ledger.ask(1, ads)
        _ = ledger.release(1, now: start)
        expect(ledger.ask(2, tls), [.open(2, tls, 2)])
        expect(ledger.ask(3, other), [.open(3, other, 3)])
        expect(ledger.ask(4, ads), [.use(1, 4)])
    }

    @Test("requests beyond a host's connections wait, first come first served")
    func waiting() {
        var ledger = ledger()
        for request in 1...2 { _ = ledger.ask(UInt64(request), ads) }
        expect(ledger.ask(3, ads), [])
        expect(ledger.ask(4, ads), [])
        #expect(ledger.waitingCount == 2)
        expect(ledger.release(2, now: start), [.use(2, 3)])
        // A connection that ends makes room for a new one.
        expect(ledger.closed(1), [.open(3, ads, 4)])
        #expect(ledger.waitingCount == 0)
        expect(ledger.release(2, now: start), [])
        #expect(ledger.idleCount == 1)
    }

    @Test("who gives up waiting is not served")
    func withdraw() {
        var ledger = ledger(host: 1)
        _ = ledger.ask(1, ads)
        _ = ledger.ask(2, ads)
        _ = ledger.ask(3, ads)
        ledger.withdraw(2, ads)
        ledger.withdraw(2, ads)
        ledger.withdraw(9, other)
        #expect(ledger.waitingCount == 1)
        expect(ledger.release(1, now: start), [.use(1, 3)])
    }

    @Test("when there is room for no more, the connection that idled longest makes it")
    func evict() {
        var ledger = ledger(total: 2)
        _ = ledger.ask(1, ads)
        _ = ledger.ask(2, tls)
        _ = ledger.release(2, now: start)
        _ = ledger.release(1, now: start + .seconds(1))
        expect(ledger.ask(3, other), [.close(2), .open(3, other, 3)])
        #expect(ledger.connectionCount == 2)
    }

    @Test("one that waits for room in all gets it from any host")
    func starved() {
        var ledger = ledger(total: 2)
        _ = ledger.ask(1, ads)
        _ = ledger.ask(2, ads)
        expect(ledger.ask(3, other), [])
        expect(ledger.release(1, now: start), [.close(1), .open(3, other, 3)])
        expect(ledger.ask(4, tls), [])
        expect(ledger.closed(2), [.open(4, tls, 4)])
        #expect(ledger.connectionCount == 2)
    }

    @Test("a fresh connection is never one that idled")
    func fresh() {
        var ledger = ledger()
        _ = ledger.ask(1, ads)
        _ = ledger.release(1, now: start)
        expect(ledger.ask(2, ads, fresh: true), [.open(2, ads, 2)])
        _ = ledger.release(2, now: start)
        // Where the host is full, one that idles gives way.
        expect(ledger.ask(3, ads, fresh: true), [.close(1), .open(3, ads, 3)])
    }

    @Test("what idles too long is closed, and nothing else")
    func sweep() {
        var ledger = ledger()
        _ = ledger.ask(1, ads)
        _ = ledger.ask(2, other)
        _ = ledger.ask(3, ads)
        _ = ledger.release(1, now: start)
        _ = ledger.release(2, now: start + .seconds(5))
        expect(ledger.sweep(now: start + .seconds(9)), [])
        expect(ledger.sweep(now: start + .seconds(10)), [.close(1)])
        expect(ledger.sweep(now: start + .seconds(100)), [.close(2)])
        #expect(ledger.connectionCount == 1)
        expect(ledger.closed(3), [])
        #expect(ledger.connectionCount == 0)
    }

    @Test("a connection that nobody knows changes nothing")
    func unknown() {
        var ledger = ledger()
        expect(ledger.closed(7), [])
        expect(ledger.release(7, now: start), [])
        #expect(ledger.connectionCount == 0)
    }

    @Test("whatever happens in whatever order, limits hold and nobody waits beside room", arguments: 0..<20)
    func tangle(seed: UInt64) throws {
        var ledger = ledger(total: 3, host: 2)
        var random = Lottery(state: seed &+ 1)
        let origins = [ads, tls, other]
        var busy: [UInt64: UInt64] = [:]
        var waiting: [UInt64: OutboundURL.Origin] = [:]
        var idle: Set<UInt64> = []
        func apply(_ orders: [ConnectionLedger.Order]) {
            for order in orders {
                switch order {
                case .use(let connection, let request):
                    let wasIdle = idle.remove(connection) != nil
                    #expect(wasIdle || busy[connection] == 0)
                    busy[connection] = request
                    waiting[request] = nil
                case .open(let connection, _, let request):
                    #expect(busy[connection] == nil)
                    busy[connection] = request
                    waiting[request] = nil
                case .close(let connection): #expect(idle.remove(connection) != nil)
                }
            }
        }
        for step in UInt64(1)...400 {
            switch random.next(4) {
            case 0, 1:
                let origin = origins[random.next(3)]
                waiting[step] = origin
                apply(ledger.ask(step, origin, fresh: random.next(8) == 0))
            case 2:
                guard let connection = busy.keys.min() else { continue }
                busy[connection] = 0
                let orders = ledger.release(connection, now: start + .seconds(Int(step)))
                if orders.first.map({ if case .use = $0 { false } else { true } }) ?? true {
                    busy[connection] = nil
                    idle.insert(connection)
                }
                apply(orders)
            default:
                if let connection = busy.keys.max(), random.next(2) == 0 {
                    busy[connection] = nil
                    apply(ledger.closed(connection))
                } else if let (request, origin) = waiting.first {
                    waiting[request] = nil
                    ledger.withdraw(request, origin)
                }
            }
            #expect(ledger.connectionCount == busy.count + idle.count)
            #expect(ledger.connectionCount <= 3)
            #expect(ledger.idleCount == idle.count)
            #expect(ledger.waitingCount == waiting.count)
        }
    }

    /// Numbers that are the same each time.
    private struct Lottery {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }
}

import Testing
import WeirHTTP
import WeirJSON
import WeirModel
import WeirStore
import WeirTime

@testable import WeirAPI
@testable import WeirMediation

/// What an operator is told without asking for anything in particular.
@Suite("Alarms")
struct AlarmTests {
    private static let start = WallTime(milliseconds: 1_767_225_600_000)

    private func status(
        _ state: AdapterState,
        breaker: BreakerStatus.State = .closed,
        remedy: String? = nil
    ) -> AdapterStatus {
        AdapterStatus(
            network: "n",
            adapter: "vast",
            carrier: .builtIn,
            state: state,
            description: "n: as it is.",
            remedy: remedy,
            startedAt: Self.start,
            isLate: false,
            attempts: 1,
            breaker: BreakerStatus(state: breaker),
            formats: [],
            inFlight: 0
        )
    }

    private func alarms(_ status: AdapterStatus, isComplete: Bool = true) -> [Alarm] {
        Alarm.alarms(
            of: AdaptersSnapshot(
                initialization: InitializationStatus(
                    isComplete: isComplete,
                    timedOut: [],
                    timeout: .seconds(10),
                    elapsed: .zero
                ),
                adapters: [status],
                minReady: 1,
                retiring: 0,
                leftBehind: 0
            )
        )
    }

    @Test("a network that cannot serve is one, with its remedy; one that is still waited for is none")
    func networks() {
        #expect(alarms(status(.ready)).isEmpty)
        #expect(alarms(status(.starting), isComplete: false).isEmpty)
        #expect(alarms(status(.starting)).map(\.severity) == [.warning])
        for state in [AdapterState.failed, .timedOut] {
            let found = alarms(status(state, remedy: "Do this."))
            #expect(found.map(\.kind) == [.networkNotReady])
            #expect(found.map(\.severity) == [.error])
            #expect(found.first?.remedy == "Do this.")
            #expect(found.first?.since == Self.start)
        }
        #expect(alarms(status(.disabled)).isEmpty, "an operator disabled it")
        #expect(alarms(status(.disabled, remedy: "Correct its entry.")).count == 1)
    }

    @Test("an open breaker is a warning, beside whatever else is wrong")
    func breaker() {
        #expect(alarms(status(.ready, breaker: .open)).map(\.kind) == [.circuitOpen])
        #expect(alarms(status(.ready, breaker: .halfOpen)).map(\.severity) == [.warning])
        #expect(alarms(status(.failed, breaker: .open)).count == 2)
    }

    @Test("views without a callback are named one by one, grants that reach nobody in one sentence")
    func rewards() {
        var counts = RewardCounts()
        #expect(Alarm.alarms(of: counts, overdue: [], after: .seconds(600)).isEmpty)
        counts.dead = 3
        counts.unverified = 2
        counts.overdue = 1
        let view = PresentationRecord(
            view: "v-1",
            at: Self.start,
            adUnit: "coins",
            network: "coinco",
            item: "gems",
            amount: "0.5",
            mode: "ssv"
        )
        let overdue = OverdueView(presentation: view, begunAt: Self.start)
        let found = Alarm.alarms(of: counts, overdue: [overdue], after: .seconds(600))
        #expect(found.map(\.kind) == [.rewardOverdue, .rewardUndelivered, .callbackUnverified])
        #expect(found[0].subject == "v-1")
        #expect(
            found[0].message
                == "coinco did not call back within 600 s of a view of coins, which promised 0.5 gems."
        )
        #expect(found[1].message.hasPrefix("3 granted rewards"))
    }

    @Test("a database that takes nothing is one, and one whose file is gone another")
    func storage() {
        var status = StoreStatus()
        #expect(Alarm.alarms(of: status).isEmpty)
        status.lastError = "Decisions cannot be written: database or disk is full."
        #expect(Alarm.alarms(of: status).isEmpty, "it works again")
        status.failingSince = Self.start
        status.queued = 7
        let failing = Alarm.alarms(of: status)
        #expect(failing.map(\.message) == ["Decisions cannot be written: database or disk is full."])
        #expect(failing.first?.since == Self.start && failing.first?.remedy?.contains("7 decisions wait") == true)
        status.misplacedSince = Self.start
        #expect(Alarm.alarms(of: status).map(\.kind) == [.storage, .storage])
        #expect(Alarm.alarms(of: status).allSatisfy { $0.severity == .error })
    }

    @Test("exchange rates that are too old are a warning, since they are")
    func rates() async throws {
        let house = await House(ratesStaleSince: Self.start)
        let answer = try await house.ask("GET", "/v1/alarms", on: .admin).json()
        #expect(answer["alarms"]?[0]?["kind"]?.string == "rates_stale")
        #expect(answer["alarms"]?[0]?["since"]?.string == Self.start.rfc3339)
    }

    @Test("GET /v1/alarms is for operators; all is well when nothing is in it")
    func door() async throws {
        let house = await House(adminKey: "key-1")
        #expect(await house.ask("GET", "/v1/alarms", on: .admin).status == 401)
        let answer = await house.ask("GET", "/v1/alarms", headers: [("Authorization", "Bearer key-1")], on: .admin)
        #expect(answer.status == 200)
        #expect(try answer.json()["alarms"]?.array == [])
        #expect(await house.ask("GET", "/v1/alarms", on: .public).status == 404)
    }

    @Test("the inspector is served on the admin listener alone, and may speak to nobody but it")
    func inspector() async throws {
        let house = await House(adminKey: "key-1")
        let page = await house.ask("GET", "/", on: .admin)
        #expect(page.status == 200)
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("connect-src 'self'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(!text.contains("innerHTML") && !text.contains("http://") && !text.contains("https://"))
        #expect(await house.ask("GET", "/", on: .public).status == 404)
    }
}

import Testing
import WeirGateway
import WeirModel
import WeirRewards
import WeirStore
import WeirTesting
import WeirTime

/// The abuse cases that need more than a list of queries, and the desk's own promises.
@Suite("RewardDesk", .timeLimit(.minutes(10)))
struct RewardDeskTests {
    @Test("abuse 19: a key id unseen so far is fetched once, then believed; the old key is gone")
    func rotation() async throws {
        let house = try RewardHouse()
        let next = try #require(PrivateKey())
        let keys = KeyState(keys: VerifierKeys([1: house.google.publicKey]))
        let source = try source(house, keys)
        house.configure { $0.sources["admob"] = source }
        let nonce = try await house.view("v1")
        _ = try await house.view("v2")
        #expect(await house.receive(try house.signed(house.parameters(custom: nonce), id: "1"))?.status == 200)
        keys.set(VerifierKeys([2: next.publicKey]))
        house.clock.advance(by: .seconds(61))
        let second = house.parameters(custom: house.tokens.nonce("v2"), transaction: "t2")
        #expect(await house.receive(try house.signed(second, by: next, id: "2"))?.status == 200)
        #expect(try await house.grants.count == 2)
        let old = house.parameters(custom: nonce, transaction: "t3")
        #expect(await house.receive(try house.signed(old, id: "1"))?.status == 403)
        for number in 100..<150 {
            let id = String(number)
            #expect(await house.receive(try house.signed(old, id: id))?.status == 403)
        }
        #expect(keys.fetches.withLock { $0 } <= 3, "whoever invents key ids must not drive fetches")
    }

    @Test("abuse 20: while the keys cannot be had callbacks are kept, answered 200, and granted as soon as they can")
    func keysDown() async throws {
        let house = try RewardHouse()
        let keys = KeyState(keys: nil)
        let source = try source(house, keys)
        house.configure { $0.sources["admob"] = source }
        let nonce = try await house.view("v1")
        let genuine = try house.signed(house.parameters(custom: nonce))
        let forged = genuine.replacing("user_id=u-1", with: "user_id=u-2")
        #expect(await house.receive(forged)?.status == 200)
        #expect(await house.receive(genuine)?.status == 200)
        #expect(try await house.store.rewardCounts().unverified == 2)
        #expect(try await house.grants.isEmpty)
        keys.set(VerifierKeys([RewardHouse.keyID: house.google.publicKey]))
        house.clock.advance(by: .seconds(5))
        let running = Task { await house.desk.run() }
        try await waitUntil {
            let counts = try await house.store.rewardCounts()
            return counts.unverified == 0 && house.observer.granted.count == 1
        }
        running.cancel()
        #expect(try await house.grants.map(\.presentation.view) == ["v1"])
        // The network's own repeat, now that the keys are there.
        #expect(await house.receive(genuine)?.status == 200)
        #expect(house.observer.granted.count == 1)
    }

    private func source(_ house: RewardHouse, _ keys: KeyState) throws -> RewardSource {
        var source = house.admob(name: "admob")
        source.keys = KeyDesk(clock: house.clock) { await keys.fetch() }
        return source
    }

    @Test("abuse 22: five copies in parallel are one grant, and all are answered 200")
    func storm() async throws {
        let house = try RewardHouse()
        let nonce = try await house.view("v1")
        let query = try house.signed(house.parameters(custom: nonce))
        let answers = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { await house.receive(query)?.status ?? 0 } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == [200, 200, 200, 200, 200])
        #expect(house.observer.granted.count == 1)
        #expect(try await house.grants.count == 1)
    }

    @Test("abuse 27: one transaction at two sources is two transactions, and still one grant for one view")
    func scopes() async throws {
        let house = try RewardHouse()
        let other = house.admob(name: "admob2")
        house.configure { $0.sources["admob2"] = other }
        let first = try house.signed(house.parameters(custom: try await house.view("v1")))
        let second = try house.signed(house.parameters(custom: try await house.view("v2")))
        #expect(await house.receive(first)?.status == 200)
        #expect(await house.receive(second, from: "admob2")?.status == 200)
        #expect(await house.receive(first, from: "admob2")?.status == 403)
        #expect(try await house.grants.count == 2)
        #expect(await house.receive(first, from: "nobody") == nil)
    }

    @Test("abuse 30: a device that earns too much is cut off")
    func limits() async throws {
        let house = try RewardHouse { $0.limits = [RewardLimit(.device, count: 3, window: .seconds(3600))] }
        var answers: [Int?] = []
        for number in 0..<5 {
            let nonce = try await house.view("v\(number)")
            let query = try house.signed(house.parameters(custom: nonce, transaction: "t\(number)"))
            answers.append(await house.receive(query)?.status)
        }
        #expect(answers == [200, 200, 200, 403, 403])
        #expect(try await house.grants.count == 3)
        house.clock.advance(by: .seconds(3600))
        let nonce = try await house.view("later")
        #expect(
            await house.receive(try house.signed(house.parameters(custom: nonce, transaction: "t9")))?.status == 200
        )
    }

    @Test("a view's own user and custom data are kept byte for byte; the callback's are not believed")
    func ownData() async throws {
        let house = try RewardHouse()
        let custom = "a=b&c=%20é\""
        let nonce = try await house.view("v1", user: "u-7", custom: custom)
        #expect(await house.receive(try house.signed(house.parameters(custom: nonce, user: "thief")))?.status == 200)
        let grant = try #require(try await house.grants.first)
        #expect(grant.presentation.user == "u-7")
        #expect(grant.presentation.customData == custom)
    }

    @Test("a view that Weir did not serve is granted to the signed user, with the signed custom data")
    func foreignView() async throws {
        let house = try RewardHouse()
        #expect(await house.receive(try house.signed(house.parameters(custom: "shop=1", user: "u-9")))?.status == 200)
        let grant = try #require(try await house.grants.first)
        #expect(grant.presentation.user == "u-9" && grant.presentation.customData == "shop=1")
        #expect(grant.presentation.item == "coins" && grant.presentation.amount == "5")
    }

    @Test("a nonce that nobody made joins nothing")
    func forgedNonce() async throws {
        let house = try RewardHouse()
        let nonce = try await house.view("v1")
        let forged = String(nonce.dropLast()) + (nonce.hasSuffix("A") ? "B" : "A")
        #expect(await house.receive(try house.signed(house.parameters(custom: forged, user: nil)))?.status == 200)
        #expect(try await house.grants.isEmpty)
        #expect(house.observer.callbacks == ["unattributable"])
    }

    @Test("a network whose signature covers the transaction alone grants what our own record says")
    func uncovered() async throws {
        let house = try RewardHouse()
        let scheme = try #require(BuiltInSchemes.scheme("pangle"))
        let source = RewardSource(
            name: "pangle",
            verifier: SchemeVerifier(scheme, secret: "key"),
            keys: nil,
            adUnits: [:],
            checksReward: true
        )
        house.configure { $0.sources["pangle"] = source }
        let nonce = try await house.view("v1")
        let sign = Digest.hexadecimalSHA256("key:t1")
        let query = "user_id=thief&trans_id=t1&reward_name=gold&reward_amount=9999&extra=\(nonce)&sign=\(sign)"
        #expect(
            await house.receive(query, from: "pangle") == RewardDesk.Reply(status: 200, body: "{\"isValid\": true}")
        )
        let grant = try #require(try await house.grants.first)
        #expect(grant.presentation.user == "u-1" && grant.presentation.amount == "5")
        let bad = query.replacing("trans_id=t1", with: "trans_id=t2")
        #expect(await house.receive(bad, from: "pangle") == RewardDesk.Reply(status: 200, body: "{\"isValid\": false}"))
    }

    @Test("views that have begun and are never called back raise the alarm once")
    func alarm() async throws {
        let house = try RewardHouse { $0.alarmAfter = .seconds(60) }
        _ = try await house.view("v1")
        try await house.store.present(view: "v1", at: house.clock.wallNow)
        house.clock.advance(by: .seconds(61))
        let running = Task { await house.desk.run() }
        await waitUntil { !house.observer.overdue.isEmpty }
        running.cancel()
        #expect(house.observer.overdue == ["v1"])
    }
}

import Testing
import WeirGateway
import WeirModel
import WeirRewards
import WeirStore
import WeirTesting
import WeirTime

/// A desk without sockets: a ledger in memory, a manual clock, AdMob's scheme with a key of the test's own.
struct RewardHouse {
    static let keyID: UInt64 = 3_335_741_209
    static let unit = "2747237135"

    let clock = ManualClock()
    let store: SQLiteStore
    let desk: RewardDesk
    let tokens = PresentationSigner()
    let observer = RewardNotes()
    let google: PrivateKey

    init(change: (inout RewardTerms) -> Void = { _ in }) throws {
        google = try #require(PrivateKey())
        store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        desk = RewardDesk(
            store: store,
            tokens: tokens,
            keyring: KeyringKeeper(try #require(SigningKeyring(at: clock.wallNow))),
            clock: clock,
            observer: observer
        )
        configure(change)
    }

    func configure(_ change: (inout RewardTerms) -> Void = { _ in }) {
        var terms = RewardTerms()
        terms.sources["admob"] = admob(name: "admob")
        terms.promises["coins"] = RewardPromise(item: "coins", amount: "5")
        change(&terms)
        desk.configure(terms)
    }

    /// A source that speaks AdMob's scheme with the test's own key.
    func admob(name: String, checksReward: Bool = true) -> RewardSource {
        let published = VerifierKeys([Self.keyID: google.publicKey])
        let state = KeyState(keys: published)
        let desk = KeyDesk(clock: clock) { await state.fetch() }
        return RewardSource(
            name: name,
            verifier: SchemeVerifier(BuiltInSchemes.admob),
            keys: desk,
            adUnits: [Self.unit: "coins"],
            checksReward: checksReward
        )
    }

    // MARK: Callbacks

    /// The parameters of a genuine callback, percent-encoded as AdMob does.
    func parameters(
        custom: String? = nil,
        user: String? = "u-1",
        transaction: String = "18fa792de1bca816048293fc71035638",
        unit: String = RewardHouse.unit,
        amount: String = "5",
        item: String = "coins",
        timestamp: String? = nil
    ) -> [(String, String)] {
        let all: [(String, String?)] = [
            ("ad_network", "5450213213286189855"), ("ad_unit", unit), ("custom_data", custom),
            ("reward_amount", amount), ("reward_item", item),
            ("timestamp", timestamp ?? String(clock.wallNow.milliseconds)), ("transaction_id", transaction),
            ("user_id", user),
        ]
        return all.compactMap { name, value in value.map { (name, escaped($0)) } }
    }

    /// A signed query of parameters that are percent-encoded already.
    func signed(_ parameters: [(String, String)], by key: PrivateKey? = nil, id: String? = nil) throws -> String {
        let raw = parameters.map { "\($0)=\($1)" }.joined(separator: "&")
        return try sign(raw, by: key, id: id)
    }

    /// `raw` with a signature over its decoded text.
    func sign(_ raw: String, by key: PrivateKey? = nil, id: String? = nil) throws -> String {
        let signature = try #require((key ?? google).sign(decoded(raw)))
        return "\(raw)&signature=\(base64URL(signature))&key_id=\(id ?? String(Self.keyID))"
    }

    func receive(_ query: String, from source: String = "admob", method: String = "GET") async -> RewardDesk.Reply? {
        await desk.receive(RewardDesk.Inbound(source: source, method: method, raw: Array(query.utf8)))
    }

    /// Hands a rewarded ad out and says under which nonce it travels.
    func view(
        _ id: String,
        mode: RewardMode = .ssv,
        user: String? = "u-1",
        custom: String? = "level=7"
    ) async throws -> String {
        try await store.keep([
            PresentationRecord(
                view: id,
                at: clock.wallNow,
                placement: "level_end",
                adUnit: "coins",
                network: "admob",
                user: user,
                device: "d-1",
                customData: custom,
                item: "coins",
                amount: "5",
                mode: mode.rawValue
            )
        ])
        return tokens.nonce(RequestID(id))
    }

    var grants: [GrantRecord] { get async throws { try await store.grants(GrantFilter(state: "granted")) } }
}

/// What a keys' server has; shared with the desk that fetches.
final class KeyState: Sendable {
    private let keys: Lock<VerifierKeys?>
    let fetches = Lock(0)

    init(keys: VerifierKeys?) { self.keys = Lock(keys) }

    func set(_ keys: VerifierKeys?) { self.keys.withLock { $0 = keys } }

    func fetch() async -> (keys: VerifierKeys, lifetime: Duration)? {
        fetches.withLock { $0 += 1 }
        return keys.withLock { $0 }.map { ($0, .seconds(3600)) }
    }
}

/// Remembers what it was told.
final class RewardNotes: RewardObserver {
    private let told = Lock<(callbacks: [String], grants: [String], overdue: [String])>(([], [], []))

    var callbacks: [String] { told.withLock { $0.callbacks } }
    var granted: [String] { told.withLock { $0.grants } }
    var overdue: [String] { told.withLock { $0.overdue } }

    func callback(_ source: String, state: String, reason: String?, detail: String?) {
        told.withLock { $0.callbacks.append(reason.map { "\(state) \($0)" } ?? state) }
    }

    func granted(_ grant: GrantRecord) { told.withLock { $0.grants.append(grant.id) } }
    func delivery(_ attempt: DeliveryTry, _ verdict: DeliveryVerdict) {}
    func overdue(_ view: PresentationRecord) { told.withLock { $0.overdue.append(view.view) } }
    func counted(_ counts: RewardCounts) {}
    func trouble(_ reason: String) {}
}

/// Percent-encoded but for the unreserved characters.
func escaped(_ text: String) -> String {
    text.utf8.map { byte in
        let isPlain =
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
        if isPlain { return String(UnicodeScalar(byte)) }
        return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
}

/// Decoded once; what is no escape stands for itself.
func decoded(_ raw: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(raw.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == 0x25, rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        {
            bytes.append(value)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return bytes
}

/// RFC 4648 §5, without padding.
func base64URL(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var text = ""
    var bits = 0
    var count = 0
    for byte in bytes {
        bits = (bits << 8 | Int(byte)) & 0xFFFF
        count += 8
        while count >= 6 {
            count -= 6
            text.append(alphabet[bits >> count & 63])
        }
    }
    if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
    return text
}

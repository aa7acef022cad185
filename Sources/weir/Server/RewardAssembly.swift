internal import WeirAdapterKit
internal import WeirConfig
internal import WeirGateway
internal import WeirHTTP
internal import WeirModel
internal import WeirRewards
internal import WeirStore
internal import WeirTime

/// Makes the desk's terms out of a configuration.
struct RewardAssembly: Sendable {
    let clients: HTTPClientPool
    let clock: any GatewayClock

    func terms(_ configuration: WeirConfiguration) -> RewardTerms {
        let settings = configuration.rewards
        var terms = RewardTerms()
        for callback in settings.callbacks { terms.sources[callback.network] = source(callback) }
        terms.limits = RewardLimit.Subject.allCases.compactMap { subject in
            settings.limits[subject.rawValue].map { RewardLimit(subject, count: $0.count, window: $0.window) }
        }
        terms.publisherURL = settings.publisherCallbackURL
        terms.publisherTransport = clients.transport(policy: policy(settings.allowPrivate, bytes: 64 << 10))
        terms.deliveryTimeout = settings.deliveryTimeout
        terms.retry = settings.retry
        terms.networkNumbers = settings.networkNumbers
        terms.lateRewardGrace = settings.lateRewardGrace
        terms.alarmAfter = settings.alarm
        for unit in configuration.catalog.adUnits {
            terms.promises[unit.id.text] = unit.reward.map {
                RewardPromise(item: $0.item, amount: $0.amount.description)
            }
        }
        return terms
    }

    private func source(_ callback: RewardCallbackSettings) -> RewardSource {
        RewardSource(
            name: callback.network,
            verifier: callback.verifier,
            keys: callback.verifier.scheme.signing == .admob ? keys(callback) : nil,
            adUnits: callback.adUnits,
            checksReward: callback.checksReward
        )
    }

    private func keys(_ callback: RewardCallbackSettings) -> KeyDesk {
        if let file = callback.keysFile {
            // A file costs little to read again; an unknown id leads to one reading a minute.
            return KeyDesk(clock: clock) {
                guard let bytes = await offLoop({ readFile(file) }), let keys = VerifierKeys(json: bytes) else {
                    return nil
                }
                return (keys, .seconds(3600))
            }
        }
        let url = callback.keysURL ?? RewardCallbackSettings.admobKeysURL
        let transport = clients.transport(policy: policy(callback.allowPrivate, bytes: VerifierKeys.documentBytes))
        let clock = clock
        return KeyDesk(clock: clock) {
            let deadline = Deadline.after(.seconds(10), clock: clock)
            guard let reply = try? await transport.send(OutboundRequest(url: url), deadline: deadline),
                reply.status == 200, let keys = VerifierKeys(json: reply.body)
            else { return nil }
            return (
                keys, KeyCache.lifetime(cacheControl: reply.header("Cache-Control"), age: reply.header("Age"))
            )
        }
    }

    private func policy(_ allowPrivate: [String], bytes: Int) -> OutboundPolicy {
        // The configuration reader has checked the entries; one that is wrong all the same opens nothing.
        var policy = OutboundPolicy(
            allowPrivate: (try? AddressPolicy(allowPrivate: allowPrivate)) ?? AddressPolicy()
        )
        policy.maxBodyBytes = bytes
        return policy
    }
}

extension KeyringKeeper {
    /// The keys of a configuration: in a file, or in memory together with the database.
    static func open(
        _ configuration: WeirConfiguration,
        clock: any GatewayClock
    ) throws(KeyringFile.Failure) -> KeyringKeeper {
        let now = clock.wallNow
        guard let path = configuration.rewards.keysFile ?? Self.path(besideDatabase: configuration.storageURL) else {
            guard let ring = SigningKeyring(at: now) else {
                throw KeyringFile.Failure(message: "No signing key can be made: libcrypto has no randomness.")
            }
            return KeyringKeeper(ring)
        }
        let file = KeyringFile(path: path, rotation: configuration.rewards.keyRotation)
        return KeyringKeeper(try file.open(at: now)) { await offLoop { file.refresh(at: clock.wallNow) } }
    }

    private static func path(besideDatabase url: String) -> String? {
        guard case .sqlite(let path)? = try? StoreURL(url) else { return nil }
        return (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + "weir-keys.json"
    }
}

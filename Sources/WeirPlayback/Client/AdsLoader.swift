public import WeirTime

/// Gets ads for requests: one for the life of an application, used for every request (S0.6).
///
/// Each request gets a manager of its own. Everything may be called from any thread; the delegate is called from the task
/// that serves the request.
public final class AdsLoader: Sendable {
    private struct State {
        weak var delegate: (any AdsLoaderDelegate)?
        var nextID = 1
        var managers: [WeakManager] = []
    }

    /// How it behaves; fixed from here on (S3.6).
    public let settings: PlaybackSettings
    /// What is worth knowing about how the loader is used, such as a second loader in one application.
    public let diagnostics: [String]

    private let transport: AdsTransport
    private let clock: any GatewayClock
    private let correlator: @Sendable () -> UInt64
    private let state = Lock(State())

    /// A loader; without settings it has the defaults (S0.27).
    ///
    /// `application` counts the loaders of one application: a second one works, and says so in ``diagnostics``.
    public init(
        settings: PlaybackSettings? = nil,
        transport: AdsTransport,
        application: PlaybackApplication? = nil,
        clock: any GatewayClock = SystemClock(),
        correlator: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 1...9_999_999_999_999_999) }
    ) {
        self.settings = settings ?? PlaybackSettings()
        self.transport = transport
        self.clock = clock
        self.correlator = correlator
        let isFirst = application?.registerLoader() ?? true
        diagnostics = isFirst ? [] : ["A second AdsLoader was made in this application; one serves all requests."]
    }

    /// Who hears of answers; not kept alive.
    public var delegate: (any AdsLoaderDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Asks for ads and tells the delegate: exactly one of loaded and failed (S0.28).
    ///
    /// The task is unstructured because the caller goes on; it ends with the answer.
    public func requestAds(_ request: AdsRequest) {
        Task { _ = await load(request) }
    }

    /// Asks for ads; the delegate, if there is one, hears of the answer too.
    ///
    /// The same request again is a new request with a new id (S0.22). When the task is cancelled, the request fails.
    @discardableResult
    public func load(_ request: AdsRequest) async -> Result<AdsLoadedData, AdLoadingErrorData> {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            return state.nextID
        }
        let retrieval = AdsRetrieval(request: request, transport: transport, clock: clock, correlator: correlator)
        let manager = makeManager(id, retrieval)
        let outcome = await retrieval.first()
        manager.take(outcome)
        switch outcome {
        case .success:
            let data = AdsLoadedData(requestID: id, adsManager: manager, userContext: request.userContext)
            state.withLock { state in
                state.managers.removeAll { $0.manager == nil }
                state.managers.append(WeakManager(manager: manager))
            }
            delegate?.adsLoader(self, adsLoadedWith: data)
            return .success(data)
        case .failure(let failure):
            let data = AdLoadingErrorData(requestID: id, adError: failure, userContext: request.userContext)
            delegate?.adsLoader(self, failedWith: data)
            return .failure(data)
        }
    }

    /// The content has ended, so that post-rolls can play (S0.18, S0.19); `item` names the content item, if there are several.
    public func contentComplete(item: String? = nil) {
        let managers = state.withLock { $0.managers.compactMap(\.manager) }
        for manager in managers where manager.stateName != "destroyed" { manager.send(.contentComplete(item: item)) }
    }

    // MARK: Private parts

    private func makeManager(_ id: Int, _ retrieval: AdsRetrieval) -> AdsManager {
        let request = retrieval.request
        var configuration = VideoConfiguration()
        configuration.settings = settings
        configuration.contentDuration = request.contentDuration
        configuration.capabilities.displayContainer = request.adDisplayContainer != nil
        configuration.capabilities.contentPlayhead = request.contentPlayhead != nil
        configuration.capabilities.pictureInPicture =
            request.pictureInPictureProxy != nil && request.videoDisplay?.supportsPictureInPicture ?? false
        configuration.capabilities.backgroundPlayback = request.videoDisplay?.supportsBackgroundPlayback ?? false
        return AdsManager(requestID: id, retrieval, configuration)
    }
}

/// A manager that the loader does not keep alive.
private struct WeakManager {
    weak var manager: AdsManager?
}

/// One application, for noticing a second loader (S0.6).
public final class PlaybackApplication: Sendable {
    private let loaders = Lock(0)

    /// An application without loaders.
    public init() {}

    fileprivate func registerLoader() -> Bool {
        loaders.withLock { count in
            count += 1
            return count == 1
        }
    }
}

/// Who hears of a loader's answers (S0.7).
public protocol AdsLoaderDelegate: AnyObject, Sendable {
    /// The ads have come, with a manager for them.
    func adsLoader(_ loader: AdsLoader, adsLoadedWith data: AdsLoadedData)
    /// They have not; the host plays its content (S0.30).
    func adsLoader(_ loader: AdsLoader, failedWith data: AdLoadingErrorData)
}

/// The answer to one request.
public struct AdsLoadedData: Sendable {
    /// The request's number, unique within the loader.
    public var requestID: Int
    /// The manager of these ads, and of no others (S0.9).
    public var adsManager: AdsManager
    /// What the request carried.
    public var userContext: (any Sendable)?
}

/// Why a request got no ads.
public struct AdLoadingErrorData: Error, Sendable {
    /// The request's number, unique within the loader.
    public var requestID: Int
    /// Code and message (S0.32).
    public var adError: AdFailure
    /// What the request carried.
    public var userContext: (any Sendable)?
}

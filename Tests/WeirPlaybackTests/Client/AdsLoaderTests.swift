import Testing
import WeirModel
import WeirPlayback
import WeirTime
import WeirVAST

@Suite("Ads loader")
struct AdsLoaderTests {
    private let outside = Outside()
    private let player = ScriptedPlayer()

    private func container(isOnScreen: Bool = true) -> AdDisplayContainer {
        AdDisplayContainer(player: player, width: 640, height: 360, isOnScreen: isOnScreen)
    }

    private func loader(_ settings: PlaybackSettings? = nil) -> AdsLoader {
        AdsLoader(settings: settings, transport: outside.transport, correlator: { 42 })
    }

    @Test("S0.1 ads come from any VAST server: two servers, VAST 2 and VAST 4, both play")
    func anyServer() async throws {
        outside.answer("https://one.test/", Documents.vast("old", version: "2.0"))
        outside.answer("https://two.test/", Documents.vast("new", version: "4.2"))
        let loader = loader()
        for tag in ["https://one.test/ad", "https://two.test/ad"] {
            let data = try await loader.load(AdsRequest(.adTag(tag), adDisplayContainer: container())).get()
            let host = BasicHost()
            data.adsManager.delegate = host
            data.adsManager.initialize()
            data.adsManager.report(.adStarted(nil))
            #expect(host.calls.contains("started"))
        }
        #expect(outside.called == ["https://t.test/old/impression", "https://t.test/new/impression"])
    }

    @Test("S0.4 container, loader, request and manager are four types that can be made and looked at alone")
    func fourTypes() {
        let container = container()
        let request = AdsRequest(.adTag("https://one.test/"), adDisplayContainer: container)
        #expect(request.adDisplayContainer?.width == 640)
        #expect(loader().settings == PlaybackSettings())
        #expect(loader().diagnostics.isEmpty)
    }

    @Test("S0.5 a request without a display container fails with a typed error and asks nobody")
    func noContainer() async {
        let result = await loader().load(AdsRequest(.adTag("https://one.test/"), adDisplayContainer: nil))
        #expect(result.failure?.adError.code == AdFailure.invalidArguments)
        #expect(outside.asked.isEmpty)
    }

    @Test("S0.25 a request before the container is on screen is refused with a typed error")
    func notOnScreen() async {
        let hidden = container(isOnScreen: false)
        let request = AdsRequest(.document(Documents.vast("a")), adDisplayContainer: hidden)
        #expect(await loader().load(request).failure?.adError.code == AdFailure.invalidArguments)
        hidden.isOnScreen = true
        #expect(await loader().load(request).failure == nil)
    }

    @Test("S0.6 one loader serves 100 requests, each with its own manager; a second loader says so and works")
    func oneLoader() async throws {
        outside.answer("https://one.test/", Documents.vast("a"))
        let application = PlaybackApplication()
        let first = AdsLoader(transport: outside.transport, application: application)
        #expect(first.diagnostics.isEmpty)
        var ids: Set<Int> = []
        var managers: [AdsManager] = []
        for _ in 0..<100 {
            let data = try await first.load(AdsRequest(.adTag("https://one.test/"), adDisplayContainer: container()))
                .get()
            ids.insert(data.requestID)
            managers.append(data.adsManager)
        }
        #expect(ids.count == 100)
        #expect(Set(managers.map(ObjectIdentifier.init)).count == 100)
        let second = AdsLoader(transport: outside.transport, application: application)
        #expect(second.diagnostics.count == 1)
        let request = AdsRequest(.adTag("https://one.test/"), adDisplayContainer: container())
        #expect(await second.load(request).failure == nil)
    }

    @Test("S0.7 S0.28 a loader tells its delegate exactly one answer for each of its own requests")
    func ownAnswers() async {
        outside.answer("https://one.test/", Documents.vast("a"))
        let (left, right) = (loader(), loader())
        let (leftHost, rightHost) = (BasicHost(), BasicHost())
        left.delegate = leftHost
        right.delegate = rightHost
        await left.load(AdsRequest(.adTag("https://one.test/"), adDisplayContainer: container()))
        await left.load(AdsRequest(.adTag("https://dead.test/"), adDisplayContainer: container()))
        await right.load(AdsRequest(.adTag("https://one.test/"), adDisplayContainer: container()))
        #expect(leftHost.calls == ["loaded 1", "failed 2 1012"])
        #expect(rightHost.calls == ["loaded 1"])
    }

    @Test("S0.8 dimensions and further parameters reach the tag")
    func parameters() async {
        var request = AdsRequest(.adTag("https://one.test/ad?sz=&p=[PLAYERSIZE]"), adDisplayContainer: container())
        request.parameters = [AdsRequest.Parameter("genre", "sci fi & more")]
        await loader().load(request)
        #expect(outside.asked == ["https://one.test/ad?sz=640x360&p=640,360&genre=sci%20fi%20%26%20more"])
    }

    @Test("S0.9 a manager belongs to one request, and two managers share no events")
    func ownEvents() async throws {
        let loader = loader()
        let request = AdsRequest(.document(Documents.vast("a")), adDisplayContainer: container())
        let one = try await loader.load(request).get().adsManager
        let two = try await loader.load(request).get().adsManager
        let (oneHost, twoHost) = (BasicHost(), BasicHost())
        one.delegate = oneHost
        two.delegate = twoHost
        one.initialize()
        #expect(oneHost.calls.contains("loaded"))
        #expect(twoHost.calls.isEmpty)
    }

    @Test("S0.18 S0.19 the content's end is told to the loader, which lets post-rolls play")
    func contentComplete() async throws {
        let loader = loader()
        var request = AdsRequest(.document(Documents.vmap("end")), adDisplayContainer: container())
        request.contentItem = "episode"
        let manager = try await loader.load(request).get().adsManager
        let host = BasicHost()
        manager.delegate = host
        manager.initialize()
        loader.contentComplete(item: "trailer")
        #expect(!host.calls.contains("loaded"))
        loader.contentComplete(item: "episode")
        #expect(host.calls.contains("loaded"))
    }

    @Test("S0.20 after the manager is gone or destroyed, the content's end has no effect")
    func gone() async throws {
        let loader = loader()
        let request = AdsRequest(.document(Documents.vmap("end")), adDisplayContainer: container())
        let manager = try await loader.load(request).get().adsManager
        let host = BasicHost()
        manager.delegate = host
        manager.initialize()
        manager.destroy()
        loader.contentComplete()
        #expect(!host.calls.contains("loaded"))
        let calls = host.calls
        _ = try await loader.load(request).get()
        loader.contentComplete()
        #expect(host.calls == calls)
    }

    @Test("S0.21 S0.22 the same request again is a new request with a new id")
    func again() async throws {
        outside.answer("https://one.test/", Documents.vast("a"))
        let loader = loader()
        let request = AdsRequest(.adTag("https://one.test/"), adDisplayContainer: container())
        let first = try await loader.load(request).get()
        let second = try await loader.load(request).get()
        #expect(first.requestID != second.requestID)
        #expect(first.adsManager !== second.adsManager)
        #expect(outside.asked.count == 2)
    }

    @Test("S0.23 a tag's parameters survive byte for byte, and an empty correlator gets a fresh number each time")
    func correlator() async {
        let tag =
            "https://one.test/gampad/ads?iu=/1/x&sz=640x480&ciu_szs=300x250%2C728x90&gdfp_req=1&ad_rule=1&output=vmap"
            + "&unviewed_position_start=1&env=vp&cust_params=deployment%3Ddevsite%26sample_ar%3Dpremidpost&correlator="
        let numbers = Lock<UInt64>(0)
        let loader = AdsLoader(
            transport: outside.transport,
            correlator: {
                numbers.withLock { number in
                    number += 1
                    return number
                }
            }
        )
        for _ in 0..<2 { await loader.load(AdsRequest(.adTag(tag), adDisplayContainer: container())) }
        #expect(outside.asked == [tag + "1", tag + "2"])
    }

    @Test("S0.24 both forms of tag, VMAP and single VAST, give the same kind of manager")
    func bothForms() async throws {
        let loader = loader()
        let single = AdsRequest(.document(Documents.vast("a")), adDisplayContainer: container())
        var rules = AdsRequest(.document(Documents.vmap("start", "00:00:30", "end")), adDisplayContainer: container())
        rules.contentPlayhead = ReportedPlayhead()
        #expect(try await loader.load(single).get().adsManager.cuePoints == [0])
        #expect(try await loader.load(rules).get().adsManager.cuePoints == [0, 30_000, -1])
    }

    @Test("S0.26 the user context comes back with the ads and with the failure, or is nil")
    func userContext() async throws {
        let loader = loader()
        var request = AdsRequest(.document(Documents.vast("a")), adDisplayContainer: container(), userContext: "row 7")
        #expect(try await loader.load(request).get().userContext as? String == "row 7")
        request.source = .adTag("https://dead.test/")
        #expect(await loader.load(request).failure?.userContext as? String == "row 7")
        request.userContext = nil
        #expect(await loader.load(request).failure?.userContext == nil)
    }

    @Test("S0.27 no settings are the default settings")
    func noSettings() {
        #expect(loader(nil).settings == PlaybackSettings())
    }

    @Test(
        "S0.30 whatever goes wrong upstream, the content is asked to play",
        arguments: [
            FetchResult.failed(.status(500), message: "The server answered 500."),
            .failed(.timeout, message: "It took too long."), .empty, .document(Array("<VAST version=\"3.0\"/>".utf8)),
            .document(Array("<VAST><Ad".utf8)), .document(Array("not XML".utf8)),
            .document(
                Array(
                    #"<VAST version="3.0"><Ad id="w"><Wrapper><AdSystem>x</AdSystem><VASTAdTagURI>https://dead.test/</VASTAdTagURI></Wrapper></Ad></VAST>"#
                        .utf8
                )
            ),
        ]
    )
    func upstream(answer: FetchResult) async throws {
        outside.answer("https://one.test/", answer)
        let result = await loader().load(AdsRequest(.adTag("https://one.test/"), adDisplayContainer: container()))
        let failure = try #require(result.failure)
        #expect(!failure.adError.message.isEmpty)
        #expect(failure.adError.stage == .load)
    }

    @Test("S0.45 no advertising identifier leaves without consent; the wish to be left alone does")
    func identifier() async {
        let tag = "https://one.test/?ifa=[IFA]&lat=[LIMITADTRACKING]"
        var request = AdsRequest(.adTag(tag), adDisplayContainer: container())
        await loader().load(request)
        for (limited, consent) in [(true, true), (false, false), (false, true)] {
            request.advertisingIdentifier = AdvertisingIdentifier(
                id: "ABC",
                isTrackingLimited: limited,
                hasConsent: consent
            )
            await loader().load(request)
        }
        #expect(
            outside.asked.map { String($0.dropFirst("https://one.test/?".count)) } == [
                "ifa=-1&lat=-1", "ifa=-2&lat=1", "ifa=-2&lat=0", "ifa=ABC&lat=0",
            ]
        )
    }

    @Test("S1.35 ads whose interface cannot be hidden are refused where the request says so")
    func requireHideable() async {
        let hideable = #"<Extensions><Extension type="uiSettings"><UiHideable>1</UiHideable></Extension></Extensions>"#
        for (extra, isAccepted) in [("", false), (hideable, true)] {
            var request = AdsRequest(.document(Documents.vast("a", extra: extra)), adDisplayContainer: container())
            request.requiresHideableUI = true
            let result = await loader().load(request)
            #expect((result.failure == nil) == isAccepted)
        }
    }

    @Test("a placement is asked of the gateway")
    func placement() async {
        outside.answer("https://weir.test/v1/vast?placement=movie%20one", Documents.vast("a"))
        let result = await loader().load(AdsRequest(.placement("movie one"), adDisplayContainer: container()))
        #expect(result.failure == nil)
        #expect(outside.asked == ["https://weir.test/v1/vast?placement=movie%20one"])
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { return failure }
        return nil
    }
}

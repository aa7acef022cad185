internal import WeirAdapterKit
internal import WeirModel
internal import WeirPlayback
internal import WeirTime
internal import WeirVAST

/// One viewing of one content item: a machine, what it has said, and what became of what it owed.
///
/// Everything that changes is behind one lock; ads are fetched outside of it.
final class PlaybackSession: Sendable {
    /// The most beacon records that are kept for reading.
    static let beaconLimit = 200
    /// The most readers that follow one session's outputs at once.
    static let followerLimit = 8

    private static let bareUI = VideoMachine().ui

    let id: SessionID
    let placement: PlacementID
    let format: AdFormat
    /// How long the body was that opened it.
    let openingBytes: Int
    private let clientSideTracking: Bool
    /// How the session of the next ad is opened, when there is to be one.
    private let next: SessionOpening?
    private let origin: ContinuousClock.Instant
    private let shop: SessionShop
    private let state: Lock<State>
    private let followers = Followers(limit: PlaybackSession.followerLimit)

    /// What is asked for, apart from the rest, because it is large and soon gone.
    private final class Wish: Sendable {
        let request: AdRequest

        init(_ request: AdRequest) { self.request = request }
    }

    private struct State {
        var machine: any SessionMachine
        var log = OutputLog<SessionOutput>(limit: 256)
        var context: SessionContext?
        /// The request that brought nothing, while there is no context.
        var fruitless: RequestID?
        var served: [ServedAd] = []
        var shownUI: [PlaybackDetail]?
        var clientSeq = 0
        var touched: ContinuousClock.Instant
        /// What is asked for; forgotten when no more ads can come, because ten thousand sessions may wait at once.
        var wish: Wish?
        var isLoading = false
        var beacons: [BeaconRecord] = []
        var beaconCount = 0
        var hasNext = false
    }

    init(
        _ id: SessionID,
        _ opening: SessionOpening,
        format: AdFormat,
        machine: any SessionMachine,
        shop: SessionShop
    ) {
        self.id = id
        openingBytes = opening.bytes
        clientSideTracking = opening.clientSideTracking
        next = opening.preloadsNext ? opening : nil
        self.format = format
        self.shop = shop
        placement = opening.request.placement
        origin = shop.clock.now
        state = Lock(State(machine: machine, touched: shop.clock.now, wish: Wish(opening.request)))
    }

    /// How ads are fetched for a session.
    typealias Load = SessionHost.Load

    // MARK: Inputs

    /// Takes inputs one after the other; those whose number is not above the last one taken are repeats and do nothing.
    ///
    /// Returns the outputs after number `after`, or those of these inputs.
    func take(_ inputs: [SessionInput], after: Int?, load: Load) async -> SessionAnswer {
        let before = state.withLock { $0.log.lastSeq }
        // The log forgets the oldest; what these very inputs brought is answered in full all the same.
        var fresh = Fresh()
        for (place, input) in inputs.enumerated() {
            // A call may bring thousands; others on this loop have their turn in between.
            if place % 500 == 499 { await Task.yield() }
            step(input, &fresh)
            while let request = fresh.takeRequest() { give(await load(request), &fresh) }
        }
        // Who reads this answer may take for granted that what it counts will be called, whatever happens to the gateway;
        // unless the store is slow.
        await shop.owe(fresh.owed, fresh.shown)
        return state.withLock { state in
            let missed = after.map { state.log.outputs(after: $0).filter { $0.seq <= before } } ?? []
            var ui: [PlaybackDetail]?
            if let now = state.machine.ui, now != state.shownUI {
                // Most sessions show nothing most of the time; they share one picture of it.
                state.shownUI = now == Self.bareUI ? Self.bareUI : now
                ui = now
            }
            return answer(state, missed + fresh.outputs, ui)
        }
    }

    /// What the inputs of one call have brought.
    private struct Fresh {
        var outputs: [NumberedOutput<SessionOutput>] = []
        /// Calls that are owed and not committed yet.
        var owed: [BeaconItem] = []
        /// Ads that are shown now and to be billed.
        var shown: [ShownAd] = []
        /// The request for ads that the machine waits for now.
        var request: AdRequest?

        mutating func takeRequest() -> AdRequest? {
            defer { request = nil }
            return request
        }
    }

    /// Takes one input.
    private func step(_ input: SessionInput, _ fresh: inout Fresh) {
        let elapsed = elapsed
        change(&fresh) { state, fresh in
            state.touched = shop.clock.now
            if let seq = input.seq {
                guard seq > state.clientSeq else { return }
                state.clientSeq = seq
            }
            append(state.machine.receive(input.message, at: elapsed), &state, &fresh)
            ask(&state, &fresh)
        }
    }

    private func give(_ fetched: FetchedAds, _ fresh: inout Fresh) {
        let elapsed = elapsed
        change(&fresh) { state, fresh in
            state.isLoading = false
            let answer = fetched.answer.map { keep($0, &state) }
            if state.context == nil { state.fruitless = fetched.requestID }
            append(state.machine.take(answer, at: elapsed), &state, &fresh)
            if !state.machine.mayWantAds { state.wish = nil }
            ask(&state, &fresh)
        }
    }

    /// Asks for ads when the machine waits for them, one request at a time.
    private func ask(_ state: inout State, _ fresh: inout Fresh) {
        guard state.machine.wantsAds, !state.isLoading, let wish = state.wish else { return }
        state.isLoading = true
        fresh.request = state.machine.adRequest(wish.request)
    }

    /// Ten thousand sessions may wait at once, so what no session needs is dropped, documents and the waterfall, and the ads
    /// are packed.
    ///
    /// - Returns: The answer as the machine takes it.
    private func keep(_ response: AdResponse, _ state: inout State) -> AdResponse {
        var response = state.machine.relevant(response)
        for index in response.ads.indices { prepare(&response.ads[index]) }
        for index in response.spares.indices { prepare(&response.spares[index]) }
        // Ads of a repetition come on top of those that are there: keys are places in this list.
        state.served += state.machine.ads(of: response)
        if state.context == nil { state.context = SessionContext(response) }
        return response
    }

    private func prepare(_ served: inout ServedAd) {
        if served.billing != nil, !served.ad.inLine.impressions.contains(where: { $0.id == AdResponse.billingID }) {
            // Nobody outside could call this gateway; the machine says when the ad is shown.
            served.ad.inLine.impressions.append(TrackedURL(id: AdResponse.billingID, url: SessionShop.billingMark))
        }
        served.pack()
    }

    /// Lets time pass.
    func timePassed() async {
        let elapsed = elapsed
        var fresh = Fresh()
        change(&fresh) { state, fresh in
            guard let deadline = state.machine.nextDeadline, deadline <= elapsed else { return }
            append(state.machine.timePassed(at: elapsed), &state, &fresh)
        }
        await shop.owe(fresh.owed, fresh.shown)
    }

    /// Whether a rewarded ad is over for its viewer, and the next one is wanted and not under way yet; says so once.
    ///
    /// A reward may still come late (S2.38): that changes nothing here.
    func takesNext(after answer: SessionAnswer) -> SessionOpening? {
        guard let next else { return nil }
        return state.withLock { state in
            guard !state.hasNext, answer.outputs.contains(where: { state.machine.isLast($0.output.output) }) else {
                return nil
            }
            state.hasNext = true
            return next
        }
    }

    /// Says something that the machine does not know of; it is told in the same answer.
    func announce(_ output: any PlaybackOutput, in answer: inout SessionAnswer) {
        var fresh = Fresh()
        change(&fresh) { state, fresh in
            append([output], &state, &fresh)
            answer.lastSeq = state.log.lastSeq
        }
        answer.outputs += fresh.outputs
    }

    // MARK: Reading

    /// Everything that can be read of the session.
    func read<Value>(_ body: (SessionView) -> Value) -> Value {
        state.withLock { state in
            state.touched = shop.clock.now
            return body(
                SessionView(
                    answer: answer(state, state.log.outputs(after: 0), state.machine.ui),
                    placement: placement,
                    format: format,
                    snapshot: state.machine.snapshot,
                    beacons: state.beacons
                )
            )
        }
    }

    /// The outputs after number `seq`, with the user interface as it is now.
    func outputs(after seq: Int) -> SessionAnswer {
        state.withLock { state in
            state.touched = shop.clock.now
            return answer(state, state.log.outputs(after: seq), state.machine.ui)
        }
    }

    /// A stream that rings when there is something new; `nil` when too many follow already.
    ///
    /// It ends with the session.
    func follow() -> AsyncStream<Void>? { followers.join() }

    var lastTouched: ContinuousClock.Instant { state.withLock { $0.touched } }
    var isFinished: Bool { state.withLock { $0.machine.isFinished && !$0.isLoading } }
    var isFollowed: Bool { !followers.isEmpty }

    /// Nobody follows any more.
    func close() { followers.end() }

    // MARK: Private parts

    /// Changes the state alone, then rings those who follow when there are outputs.
    private func change(_ fresh: inout Fresh, _ body: (inout State, inout Fresh) -> Void) {
        let before = fresh.outputs.count
        state.withLock { body(&$0, &fresh) }
        if fresh.outputs.count > before { followers.ring() }
    }

    private var elapsed: Duration { origin.duration(to: shop.clock.now) }

    private func answer(
        _ state: borrowing State,
        _ outputs: [NumberedOutput<SessionOutput>],
        _ ui: [PlaybackDetail]?
    ) -> SessionAnswer {
        var requestID = state.fruitless
        if let context = state.context { requestID = context.requestID }
        return SessionAnswer(
            id: id,
            state: state.machine.stateName,
            outputs: outputs,
            ui: ui,
            clientSeq: state.clientSeq,
            lastSeq: state.log.lastSeq,
            requestID: requestID,
            served: state.served,
            context: state.context
        )
    }

    /// Numbers outputs and keeps them; beacons go to the client or to their servers, as the session was opened.
    private func append(_ outputs: [any PlaybackOutput], _ state: inout State, _ fresh: inout Fresh) {
        var visible: [SessionOutput] = []
        for output in outputs {
            guard let due = output.beacon else {
                visible.append(SessionOutput(output: output, url: landingPage(output, state)))
                continue
            }
            let served = served(due.ad, state)
            let url = shop.expand(due.beacon.url, due.beacon, served: served, state.context)
            if clientSideTracking, url != SessionShop.billingMark {
                visible.append(SessionOutput(output: output, url: url))
                record(due, url, .client, &state)
            } else if let notice = served?.billing, shop.isBeacon(url, of: notice) {
                bill(notice, due, url, &state, &fresh)
            } else if !url.isEmpty, url != "about:blank" {
                owe(due, url, &state, &fresh)
            }
        }
        let numbered = state.log.append(visible)
        fresh.outputs += numbered
    }

    private func landingPage(_ output: any PlaybackOutput, _ state: State) -> String? {
        guard output.type == "open_url" else { return nil }
        for detail in output.details where detail.name == "url" {
            if case .text(let url) = detail.value { return shop.expand(url, nil, served: nil, state.context) }
        }
        return nil
    }

    private func served(_ key: AdKey?, _ state: State) -> ServedAd? {
        guard let key else { return state.served.first }
        return state.served.indices.contains(key.index) ? state.served[key.index] : nil
    }

    @discardableResult
    private func record(_ due: DueBeacon, _ url: String, _ fate: BeaconRecord.State, _ state: inout State) -> Int {
        state.beaconCount += 1
        state.beacons.append(
            BeaconRecord(
                number: state.beaconCount,
                event: due.beacon.name,
                ad: due.ad?.index,
                url: url,
                state: fate,
                attempts: 0
            )
        )
        if state.beacons.count > Self.beaconLimit { state.beacons.removeFirst() }
        return state.beaconCount
    }

    private func owe(_ due: DueBeacon, _ url: String, _ state: inout State, _ fresh: inout Fresh) {
        guard let served = served(due.ad, state) else { return }
        let number = record(due, url, .queued, &state)
        let item = shop.item(url, for: served.network, device: state.context?.request.device) { [weak self] fate in
            self?.note(number, fate)
        }
        fresh.owed.append(item)
    }

    private func bill(
        _ notice: RequestID,
        _ due: DueBeacon,
        _ url: String,
        _ state: inout State,
        _ fresh: inout Fresh
    ) {
        let number = record(due, url, .queued, &state)
        let ad = ShownAd(notice, at: shop.clock.wallNow) { [weak self] fate in
            self?.note(number, BeaconOutcome(state: fate, attempts: 0))
        }
        fresh.shown.append(ad)
    }

    private func note(_ number: Int, _ fate: BeaconOutcome) {
        state.withLock { state in
            guard let place = state.beacons.firstIndex(where: { $0.number == number }) else { return }
            state.beacons[place].state = fate.state
            state.beacons[place].status = fate.status
            state.beacons[place].attempts = fate.attempts
            state.beacons[place].reason = fate.reason
        }
    }
}

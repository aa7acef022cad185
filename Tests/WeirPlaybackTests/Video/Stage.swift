import Testing
import WeirPlayback
import WeirVAST

/// A machine on a stage: sends inputs, remembers every output.
struct Stage {
    var machine: VideoMachine
    var log = OutputLog<VideoOutput>(limit: 100_000)
    var clock = Duration.zero

    init(_ configure: (inout VideoConfiguration) -> Void = { _ in }) {
        var configuration = VideoConfiguration()
        configure(&configuration)
        machine = VideoMachine(configuration)
    }

    /// A stage with these ads loaded and the manager initialized.
    init(
        _ schedule: AdSchedule,
        _ configure: (inout VideoConfiguration) -> Void = { _ in },
        rendering: (inout AdsRenderingSettings) -> Void = { _ in }
    ) {
        self.init(configure)
        send(.load, .adsLoaded(schedule))
        var settings = AdsRenderingSettings()
        rendering(&settings)
        send(.initialize(settings))
    }

    /// Sends inputs; returns what came of them.
    @discardableResult
    mutating func send(_ inputs: VideoInput...) -> Outputs {
        var fresh: [VideoOutput] = []
        for input in inputs {
            let outputs = machine.handle(input, at: clock)
            log.append(outputs)
            fresh += outputs
        }
        return Outputs(list: fresh)
    }

    /// Lets time pass.
    @discardableResult
    mutating func wait(_ duration: Duration) -> Outputs {
        clock += duration
        let outputs = machine.timePassed(at: clock)
        log.append(outputs)
        return Outputs(list: outputs)
    }

    /// Plays the ad that was told to play, second by second, to its end.
    @discardableResult
    mutating func playAd(seconds: Int = 12) -> Outputs {
        var list = send(.adLoaded(nil, duration: nil), .adStarted(nil)).list
        for second in 1..<max(2, seconds) {
            list += send(.adProgress(nil, position: .seconds(second), duration: .seconds(seconds))).list
        }
        return Outputs(list: list + send(.adCompleted(nil)).list)
    }

    /// Everything so far.
    var all: Outputs { Outputs(list: log.outputs.map(\.output)) }
}

/// Outputs, as tests ask about them.
struct Outputs {
    var list: [VideoOutput]

    /// All types in order, without URLs.
    var types: [String] { list.filter { $0.kind != .tracking }.map(\.type) }
    /// Events only.
    var events: [AdEventType] { list.compactMap(\.event?.type) }
    /// The paths of URLs that are due.
    var beacons: [String] { list.compactMap(\.beacon).map { String($0.beacon.url.dropFirst("https://t.test/".count)) } }
    /// The reasons of refusals.
    var refusals: [RefusalReason] {
        list.compactMap { output in
            if case .refusal(let refusal)? = output.event?.payload { return refusal.reason }
            return nil
        }
    }
    /// The words of remarks.
    var remarks: [String] {
        list.compactMap { output in
            if case .remark(let code, _)? = output.event?.payload { return code }
            return nil
        }
    }
    /// Commands only.
    var commands: [AdPlayerCommand] {
        list.compactMap { output in
            if case .command(let command) = output { return command }
            return nil
        }
    }
    /// The ids of the ads that were told to play.
    var playedKeys: [Int] {
        commands.compactMap { command in
            if case .playAd(let key) = command { return key.index }
            return nil
        }
    }

    func count(_ type: AdEventType) -> Int { events.count { $0 == type } }
}

extension VideoOutput {
    var event: AdEvent? {
        if case .event(let event) = self { return event }
        return nil
    }
}

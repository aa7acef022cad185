/// A pure state machine of playback: an input goes in, outputs come out, and nothing else happens.
///
/// A value type. It reads no clock, opens no connection and numbers nothing: elapsed time comes in with each input, what
/// is to be called goes out as ``PlaybackOutput/beacon``, and numbers are put on by an ``OutputLog``. No input traps.
public protocol PlaybackMachine: Sendable {
    /// What can happen.
    associatedtype Input: PlaybackInputReading
    /// What the machine says.
    associatedtype Output: PlaybackOutput

    /// The state's name in the API, such as `playing_ad`.
    var stateName: String { get }
    /// Whether nothing more can happen.
    var isFinished: Bool { get }
    /// What `GET /v1/sessions/{id}` shows beside state and outputs, such as `current_ad` and `diagnostics`.
    var snapshot: [PlaybackDetail] { get }
    /// The user interface as it should look now; `nil` for machines without one.
    var ui: [PlaybackDetail]? { get }
    /// Whether the machine waits for its ads to be fetched by whoever drives it.
    var wantsAds: Bool { get }
    /// When, in elapsed time, the machine wants ``timePassed(at:)`` although no input came; `nil`: it waits for no time.
    var nextDeadline: Duration? { get }

    /// Takes one input, `elapsed` after the machine was made; elapsed time never goes back.
    ///
    /// What is not allowed now changes nothing and answers one `refused` output.
    mutating func handle(_ input: Input, at elapsed: Duration) -> [Output]

    /// Takes notice that time has passed without an input.
    mutating func timePassed(at elapsed: Duration) -> [Output]

    /// Reads a message and takes it; one that cannot be read answers one `refused` output and changes nothing.
    mutating func receive(_ message: PlaybackMessage, at elapsed: Duration) -> [Output]

    /// The output that tells a refusal.
    static func refused(_ refusal: PlaybackRefusal) -> Output
}

extension PlaybackMachine {
    /// Reads a message and takes it; one that cannot be read answers one `refused` output and changes nothing.
    public mutating func receive(_ message: PlaybackMessage, at elapsed: Duration) -> [Output] {
        do throws(PlaybackRefusal) {
            return handle(try Input(message), at: elapsed)
        } catch {
            return [Self.refused(error)]
        }
    }

    /// Machines that are made with their ads.
    public var wantsAds: Bool { false }

    /// Machines without time limits.
    public var nextDeadline: Duration? { nil }

    /// Machines without time limits.
    public mutating func timePassed(at elapsed: Duration) -> [Output] { [] }

    /// Machines without a user interface.
    public var ui: [PlaybackDetail]? { nil }
}

/// An input that can be read from a message.
public protocol PlaybackInputReading: Hashable, Sendable {
    /// Reads a message.
    ///
    /// - Throws: `unknown_input`, or `bad_input` with the member that is wrong.
    init(_ message: PlaybackMessage) throws(PlaybackRefusal)
}

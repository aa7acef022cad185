internal import WeirTime

/// What a platform's picture-in-picture controller tells its delegate.
public enum PictureInPictureMessage: String, Hashable, Sendable, CaseIterable {
    /// It is about to begin.
    case willStart
    /// It has begun.
    case didStart
    /// It could not begin.
    case failedToStart
    /// It is about to end.
    case willStop
    /// It has ended.
    case didStop
    /// The application is to bring its own screen back.
    case restoreUserInterface
}

/// Who hears of picture-in-picture.
public protocol PictureInPictureDelegate: AnyObject, Sendable {
    /// The controller says something.
    func pictureInPicture(_ message: PictureInPictureMessage)
}

/// The platform's controller, as the host wraps it (S3.7).
public protocol PictureInPictureController: AnyObject, Sendable {
    /// Whether picture-in-picture is active.
    var isPictureInPictureActive: Bool { get }
    /// Asks for it.
    func startPictureInPicture()
    /// Ends it.
    func stopPictureInPicture()
}

extension PictureInPictureController {
    /// What the host's own button does: ends it when it is active, begins it otherwise (S3.16).
    public func togglePictureInPicture() {
        if isPictureInPictureActive { stopPictureInPicture() } else { startPictureInPicture() }
    }
}

/// Stands between the controller and the application's delegate, and lets the ads manager hear everything too (S3.8, S3.18).
///
/// The controller's delegate is this proxy. The application hears each message first, then the manager; each once.
public final class PictureInPictureProxy: PictureInPictureDelegate {
    private struct State {
        weak var application: (any PictureInPictureDelegate)?
        weak var manager: AdsManager?
        var isActive = false
    }

    private let state: Lock<State>

    /// A proxy for the application's delegate, which it does not keep alive.
    public init(delegate: any PictureInPictureDelegate) {
        state = Lock(State(application: delegate))
    }

    /// Whether picture-in-picture is active, by what the controller said.
    public var isActive: Bool { state.withLock { $0.isActive } }

    /// Takes a message of the controller.
    public func pictureInPicture(_ message: PictureInPictureMessage) {
        let (application, manager) = state.withLock { state in
            switch message {
            case .didStart: state.isActive = true
            case .didStop, .failedToStart: state.isActive = false
            case .willStart, .willStop, .restoreUserInterface: break
            }
            return (state.application, state.manager)
        }
        application?.pictureInPicture(message)
        manager?.pictureInPicture(message)
    }

    func attach(_ manager: AdsManager) { state.withLock { $0.manager = manager } }
}

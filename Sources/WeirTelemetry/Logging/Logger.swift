internal import WeirJSON
package import WeirTime

/// Writes structured log events; a cheap value that every room may carry along.
///
/// Logging never blocks: an event goes into the bounded queue of a ``LogWriter``, whose thread formats and writes it.
///
///     let logger = Logger(writer, clock: clock).with(requestID: id)
///     logger.info("adapter.ready", "gam is ready.", ["network": "gam", "latency_ms": 120])
package struct Logger: Sendable {
    /// Events below this level are dropped before their message is made.
    package var minimum: LogLevel

    private let writer: LogWriter?
    private let clock: any GatewayClock
    private var requestID: String?
    private var fields: LogFields = [:]

    /// A logger that hands its events to `writer`.
    package init(_ writer: LogWriter, clock: any GatewayClock, minimum: LogLevel = .info) {
        self.minimum = minimum
        self.writer = writer
        self.clock = clock
    }

    private init() {
        minimum = .error
        writer = nil
        clock = SystemClock()
    }

    /// A logger that writes nothing.
    package static let silent = Logger()

    /// The same logger, whose events belong to the request `requestID`.
    package func with(requestID: String) -> Logger {
        var logger = self
        logger.requestID = requestID
        return logger
    }

    /// The same logger, whose events all carry `fields`.
    package func with(_ fields: LogFields) -> Logger {
        var logger = self
        logger.fields = self.fields.merging(fields)
        return logger
    }

    /// Whether events of `level` are written.
    package func writes(_ level: LogLevel) -> Bool { writer != nil && level >= minimum }

    /// Logs an event.
    package func log(
        _ level: LogLevel,
        _ name: String,
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> LogFields = [:]
    ) {
        guard let writer, level >= minimum else { return }
        writer.submit(
            LogEvent(
                time: clock.wallNow,
                level: level,
                name: name,
                message: message(),
                requestID: requestID,
                fields: self.fields.merging(fields())
            )
        )
    }

    /// Logs for whoever looks for a fault.
    package func debug(
        _ name: String,
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> LogFields = [:]
    ) { log(.debug, name, message(), fields()) }

    /// Logs normal life.
    package func info(
        _ name: String,
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> LogFields = [:]
    ) { log(.info, name, message(), fields()) }

    /// Logs what is not as it should be.
    package func warning(
        _ name: String,
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> LogFields = [:]
    ) { log(.warning, name, message(), fields()) }

    /// Logs what failed.
    package func error(
        _ name: String,
        _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> LogFields = [:]
    ) { log(.error, name, message(), fields()) }
}

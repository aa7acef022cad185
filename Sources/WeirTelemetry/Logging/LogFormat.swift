/// How an event becomes a line.
package enum LogFormat: Hashable, Sendable {
    /// One JSON object a line: `ts`, `level`, `event`, `message`, `request_id` when there is one, then the fields.
    case json

    /// For a person at a terminal: `08:09:10.250 INFO  adapter.ready  gam is ready.  network=gam`.
    case human(colour: Bool)
}

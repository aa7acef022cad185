internal import WeirJSON
package import WeirMediation
internal import WeirModel
package import WeirTelemetry
internal import WeirTime

extension AdaptersSnapshot {
    /// The body of `GET /v1/adapters`.
    package var json: [UInt8] {
        var json = JSONWriter(reserving: 512 + adapters.count * 512)
        json.object { json in
            json.object("initialization") { json in
                json.member("state", initialization.isComplete ? "complete" : "in_progress")
                json.member("timed_out", initialization.timedOut.map(\.text))
                json.member("timeout_ms", initialization.timeout.milliseconds)
                json.member("elapsed_ms", initialization.elapsed.milliseconds)
                json.member("completed_at", initialization.completedAt?.rfc3339)
            }
            json.array("adapters") { json in
                for adapter in adapters { json.adapter(adapter) }
            }
        }
        return json.bytes
    }
}

extension AdaptersSnapshot {
    /// The same with secrets blacked out: an address may hold one, and a network may echo one.
    package func redacted(by redactor: Redactor) -> AdaptersSnapshot {
        var copy = self
        copy.adapters = adapters.map { $0.redacted(by: redactor) }
        return copy
    }
}

extension AdapterStatus {
    /// The same with secrets blacked out.
    package func redacted(by redactor: Redactor) -> AdapterStatus {
        var copy = self
        copy.description = redactor.redact(description)
        copy.remedy = remedy.map(redactor.redact)
        copy.lastError = lastError.map(redactor.redact)
        return copy
    }

    /// The body of `GET /v1/adapters/{network}`.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.adapter(self)
        return json.bytes
    }
}

extension JSONWriter {
    /// Writes one adapter's status as docs/api.md shows it.
    fileprivate mutating func adapter(_ status: AdapterStatus) {
        object { json in
            json.member("network", status.network.text)
            json.member("adapter", status.adapter)
            json.member("adapter_version", status.adapterVersion)
            json.member("api", status.api)
            json.member("kind", status.carrier.rawValue)
            json.member("state", status.state.rawValue)
            json.member("ready", status.isReady)
            json.member("description", status.description)
            json.member("remedy", status.remedy)
            json.member("latency_ms", status.latency?.milliseconds)
            json.member("started_at", status.startedAt?.rfc3339)
            json.member("ready_at", status.readyAt?.rfc3339)
            json.member("late", status.isLate)
            json.member("attempts", status.attempts)
            json.member("last_error", status.lastError)
            json.object("breaker") { json in
                json.member("state", status.breaker.state.rawValue)
                json.member("retry_at", status.breaker.retryAt?.rfc3339)
                json.array("placements") { json in
                    for breaker in status.breakers {
                        json.object { json in
                            json.member("placement", breaker.placement.text)
                            json.member("state", breaker.status.state.rawValue)
                            json.member("retry_at", breaker.status.retryAt?.rfc3339)
                        }
                    }
                }
            }
            json.member("formats", AdFormat.allCases.filter(status.formats.contains).map(\.rawValue))
            json.member("in_flight", status.inFlight)
        }
    }
}

package import WeirGateway
internal import WeirMediation
internal import WeirModel
package import WeirTelemetry

extension Explanation {
    /// The same with secrets blacked out: why an adapter is not ready may name an address that holds one.
    package func redacted(by redactor: Redactor) -> Explanation {
        var copy = self
        copy.plan.bids = plan.bids.map { $0.reworded(redactor.redact) }
        copy.plan.steps = plan.steps.map { step in
            switch step {
            case .line(let line): .line(line.reworded(redactor.redact))
            case .group(let lines, let timeout): .group(lines.map { $0.reworded(redactor.redact) }, timeout: timeout)
            }
        }
        return copy
    }
}

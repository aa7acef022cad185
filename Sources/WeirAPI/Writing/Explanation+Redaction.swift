package import WeirGateway
internal import WeirMediation
internal import WeirModel
package import WeirTelemetry

extension Explanation {
    /// The same with secrets blacked out: why an adapter is not ready may name an address that holds one.
    package func redacted(by redactor: Redactor) -> Explanation {
        var copy = self
        copy.plan.bids = plan.bids.map { $0.redacted(by: redactor) }
        copy.plan.steps = plan.steps.map { step in
            switch step {
            case .line(let line): .line(line.redacted(by: redactor))
            case .group(let lines, let timeout): .group(lines.map { $0.redacted(by: redactor) }, timeout: timeout)
            }
        }
        return copy
    }
}

extension WaterfallPlan.Line {
    fileprivate func redacted(by redactor: Redactor) -> WaterfallPlan.Line {
        var copy = self
        if let message = skip?.message { copy.skip?.message = redactor.redact(message) }
        copy.findings = findings.map { finding in
            var finding = finding
            finding.sentence = redactor.redact(finding.sentence)
            return finding
        }
        return copy
    }
}

package import WeirModel

/// What became of a fill that was offered to an answer made of several.
package enum Gathered: Sendable {
    /// Something of it is in the answer; once that is complete, nobody else is asked.
    case taken(isComplete: Bool)
    /// Nothing of it has a place, and this is why; the next line item is asked.
    case left(AttemptOutcome)
}

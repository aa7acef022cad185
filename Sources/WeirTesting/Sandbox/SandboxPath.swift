/// What one path of the sandbox answers, as time goes by and hits come in: a state machine without a clock.
public struct SandboxPath: Sendable, Hashable {
    /// One answer and when it is its turn.
    public struct Step: Sendable, Hashable {
        /// The answer.
        public var reply: SandboxReply
        /// After so many answers the next step's turn has come; `nil` is any number.
        public var times: Int?
        /// From so long after the script was set this step's turn has come, whatever stood before it.
        public var after: Duration?

        /// A step that lasts until another's turn comes.
        public init(_ reply: SandboxReply, times: Int? = nil, after: Duration? = nil) {
            self.reply = reply
            self.times = times
            self.after = after
        }
    }

    /// The steps in their order, at least one; the last one lasts for ever.
    public let steps: [Step]
    private var current = 0
    private var answered = 0

    /// One answer for ever.
    public init(_ reply: SandboxReply) {
        steps = [Step(reply)]
    }

    /// Answers that change; `nil` when there are none.
    public init?(steps: [Step]) {
        if steps.isEmpty { return nil }
        self.steps = steps
    }

    /// The answer to a hit that comes `elapsed` after the script was set.
    public mutating func answer(after elapsed: Duration) -> SandboxReply {
        if let times = steps[current].times, answered >= times, current + 1 < steps.count,
            steps[current + 1].after ?? .zero <= elapsed
        {
            move(to: current + 1)
        }
        let due = steps.indices.last { index in index > current && steps[index].after.map { $0 <= elapsed } ?? false }
        if let due { move(to: due) }
        answered += 1
        return steps[current].reply
    }

    private mutating func move(to step: Int) {
        current = step
        answered = 0
    }
}

/// An adapter that can break down long after its set-up, and is then set up again.
///
/// It keeps the deadline of each load itself, so that nobody needs to race it.
package protocol SupervisedAdapter: NetworkAdapter {
    /// Says who hears of each break-down; called once, before the first set-up.
    ///
    /// A break-down during a set-up is told before that set-up throws.
    func observe(_ crashed: @escaping @Sendable (SetUpFailure) -> Void)
}

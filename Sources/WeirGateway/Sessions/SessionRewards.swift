internal import WeirModel
internal import WeirPlayback
internal import WeirStore

/// Tells the ledger what rewarded sessions have seen: that a view began and for whom, and that its reward was earned.
///
/// The ledger takes every view once, so that it may hear the same twice: from a repeated call, from `POST /v1/events`,
/// from the network. What cannot be written is logged, and the client can still say it there.
struct SessionRewards: Sendable {
    private let desk: RewardDesk?

    init(_ desk: RewardDesk?) {
        self.desk = desk
    }

    /// How long after the end of an ad its reward still counts (S2.38); `nil` without a ledger.
    var lateRewardGrace: Duration? { desk?.terms.lateRewardGrace }

    /// Returns when the ledger has what `answer` says; a client that reads of its reward has it.
    func note(_ answer: SessionAnswer, of session: PlaybackSession) async {
        guard session.format == .rewarded, let desk, let mode = answer.context?.adUnit.rewardMode,
            let token = answer.served.first?.presentationToken
        else { return }
        let said = Set(answer.outputs.map(\.output.output.type))
        do throws(StoreError) {
            if said.contains("will_present") {
                let (user, customData) = session.read { ($0.text("ssv_user_id"), $0.text("ssv_custom_data")) }
                _ = try await desk.presented(token, mode: mode, user: user, customData: customData)
            }
            if said.contains("earned_reward") { _ = try await desk.earned(token, mode: mode) }
        } catch {
            desk.observer.trouble(error.reason)
        }
    }
}

extension SessionView {
    /// A text of the machine's own picture of itself.
    fileprivate func text(_ name: String) -> String? {
        for detail in snapshot where detail.name == name {
            if case .text(let text) = detail.value { return text }
        }
        return nil
    }
}

import Testing
import WeirRewards

@Suite("SSV vectors", .enabled(if: Vectors.root != nil, "The shared vectors are not here; set WEIR_SHARED."))
struct VectorTests {
    @Test("each given callback is judged right", arguments: Vectors.ssv)
    func verdict(_ vector: Vectors.SSV) {
        let explanation = SSVExplanation(vector.query, keys: vector.keys)
        #expect((explanation.fault == nil) == vector.isValid, "\(vector.id): \(String(describing: explanation.fault))")
        let failed = explanation.steps.count { $0.outcome == .bad }
        #expect(failed == (explanation.fault == nil ? 0 : 1))
    }

    @Test("all 99 are there")
    func count() {
        #expect(Vectors.ssv.count == 99)
        let valid = Vectors.ssv.count { $0.isValid }
        #expect(valid == 19)
    }
}

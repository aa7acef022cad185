import Testing

@testable import WeirGateway

@Suite("Rows that are put right later")
struct BeaconRepairsTests {
    @Test("what failed is done once; what fails again stays")
    func again() {
        var repairs = BeaconRepairs(limit: 10)
        repairs.forget([1, 2])
        repairs.postpone(3, tries: 4)
        let work = repairs.take()
        #expect(work.gone == [1, 2] && work.waiting == [3: 4])
        #expect(repairs.take().isEmpty)
        repairs.end(work, isDone: false)
        let second = repairs.take()
        #expect(second.gone == [1, 2] && second.waiting == [3: 4])
        repairs.end(second, isDone: true)
        #expect(repairs.take().isEmpty)
    }

    @Test("a row is not put right behind the back of a beacon that is sent, and none is sent meanwhile")
    func begun() {
        var repairs = BeaconRepairs(limit: 10)
        repairs.postpone(3, tries: 4)
        let isFree = repairs.begin(3)
        #expect(isFree)
        #expect(repairs.take().isEmpty)
        repairs.postpone(3, tries: 5)
        let work = repairs.take()
        let isFreeNow = repairs.begin(3)
        #expect(!isFreeNow)
        repairs.end(work, isDone: true)
        let isFreeAgain = repairs.begin(3)
        #expect(isFreeAgain)
    }

    @Test("a beacon that is gone waits no longer, and no more are remembered than the limit")
    func bounds() {
        var repairs = BeaconRepairs(limit: 2)
        repairs.postpone(1, tries: 1)
        repairs.forget([1, 2, 3])
        for id in 4...9 { repairs.postpone(Int64(id), tries: 1) }
        let work = repairs.take()
        #expect(work.gone == [1, 2] && work.waiting.keys.sorted() == [4, 5])
        repairs.forget([4])
        repairs.end(work, isDone: false)
        #expect(repairs.take().waiting.keys.sorted() == [5])
    }
}

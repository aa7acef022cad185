import Testing
import WeirModel

@Suite("Identifiers")
struct IdentifierTests {
    @Test("a request id has 26 characters of Crockford base 32: time first, then randomness")
    func layout() {
        #expect(RequestID.make(atMilliseconds: 0) { 0 }.text == "00000000000000000000000000")
        #expect(RequestID.make(atMilliseconds: 0) { .max }.text == "0000000000ZZZZZZZZZZZZZZZZ")
        // The example of the ULID specification: 1469918176385 is 01ARYZ6S41.
        #expect(RequestID.make(atMilliseconds: 1_469_918_176_385).text.hasPrefix("01ARYZ6S41"))
        let id = RequestID.make(atMilliseconds: 1_767_225_600_000)
        let alphabet = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        #expect(id.text.count == 26)
        #expect(id.text.allSatisfy(alphabet.contains))
    }

    @Test("request ids sort by time")
    func sorting() {
        let times: [Int64] = [0, 1, 31, 32, 1023, 1024, 1_469_918_176_385, 1_767_225_600_000, 281_474_976_710_655]
        let ids = times.map { RequestID.make(atMilliseconds: $0) }
        #expect(ids == ids.sorted())
    }

    @Test("times before 1970 and after the year 10889 do not trap", arguments: [Int64.min, -1, .max])
    func farthest(milliseconds: Int64) {
        #expect(RequestID.make(atMilliseconds: milliseconds).text.count == 26)
    }

    @Test("a hundred thousand ids of one millisecond differ")
    func unique() {
        let ids = Set((0..<100_000).map { _ in RequestID.make(atMilliseconds: 1) })
        #expect(ids.count == 100_000)
    }

    @Test("an id is 1 to 128 bytes without control characters")
    func validity() {
        for text in ["a", "Größe 7", "a/b.c:d", String(repeating: "x", count: 128)] {
            #expect(PlacementID.isValid(text), "\(text)")
        }
        for text in [
            "", "a\n", "\u{0}", "a\u{7F}", String(repeating: "x", count: 129), String(repeating: "ü", count: 65),
        ] {
            #expect(!PlacementID.isValid(text), "\(text)")
        }
    }
}

import WeirTime
import WeirVAST

/// What the resolver adds to a hop: a chain of wrappers from memory, less the time of reading its documents.
enum Hops {
    private static let depth = 5
    /// Short rounds, so that both halves of one meet the same machine; the median of the differences is told.
    private static let rounds = 151
    private static let repetitions = 40

    static func measure() async {
        let wrapper = Array(
            """
            <VAST version="4.2"><Ad id="w"><Wrapper><AdSystem>s</AdSystem><Error>https://t.test/e?c=[ERRORCODE]</Error>\
            <Impression>https://t.test/i</Impression><Creatives><Creative><Linear><TrackingEvents>\
            <Tracking event="start">https://t.test/s</Tracking><Tracking event="complete">https://t.test/c</Tracking>\
            </TrackingEvents></Linear></Creative></Creatives>\
            <VASTAdTagURI>https://a.test/next?cb=[CACHEBUSTING]</VASTAdTagURI></Wrapper></Ad></VAST>
            """.utf8
        )
        let inLine = Array(
            """
            <VAST version="4.2"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
            <AdServingId>1</AdServingId><Impression>https://t.test/i</Impression><Creatives><Creative>\
            <UniversalAdId idRegistry="r">1</UniversalAdId><Linear><Duration>00:00:15</Duration><MediaFiles>\
            <MediaFile delivery="progressive" type="video/mp4" width="1" height="1">https://c.test/a.mp4</MediaFile>\
            </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
            """.utf8
        )
        let documents = (0...depth).map { index in
            index == depth ? inLine : numbered(wrapper, index)
        }
        let clock = SystemClock()
        let resolver = VASTResolver()
        let reading = VASTReader.read(documents[0])
        var each: [Double] = []
        for _ in 0..<rounds {
            let begin = Processor.own
            for _ in 0..<repetitions { await resolve(resolver, reading, documents, clock) }
            let whole = Processor.own - begin
            let readBegin = Processor.own
            for _ in 0..<repetitions {
                for document in documents.dropFirst() { precondition(VASTReader.read(document).vast != nil) }
            }
            each.append((whole - (Processor.own - readBegin)) / Double(repetitions * depth) * 1e6)
        }
        let median = each.sorted()[rounds / 2]
        print("resolver, without reading: \(text(median, 1)) µs a hop (at most 20 is wanted)")
    }

    /// The wrapper that points to the next one; addresses differ so that it is no circle.
    private static func numbered(_ wrapper: [UInt8], _ index: Int) -> [UInt8] {
        let text = String(decoding: wrapper, as: UTF8.self)
        let parts = text.split(separator: "/next", maxSplits: 1)
        return Array((parts[0] + "/\(index + 1)" + parts[1]).utf8)
    }

    private static func resolve(
        _ resolver: VASTResolver,
        _ reading: Reading,
        _ documents: [[UInt8]],
        _ clock: SystemClock
    ) async {
        let resolution = await resolver.resolve(reading, clock: clock) { .document(documents[$0.depth]) }
        precondition(resolution.ads.count == 1)
    }
}

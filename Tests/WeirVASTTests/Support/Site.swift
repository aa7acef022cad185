import Synchronization
import WeirTime
import WeirVAST

/// Documents by URL, and a note of what was asked: what a resolver sees of the network.
final class Site: Sendable {
    let pages: [String: String]
    private let log = Mutex<[String]>([])

    init(_ pages: [String: String] = [:]) {
        self.pages = pages
    }

    /// The URLs asked, sorted, as pods ask side by side.
    var asked: [String] { log.withLock { $0.sorted() } }

    func answer(_ request: FetchRequest) -> FetchResult {
        log.withLock { $0.append(request.url) }
        let page = String(request.url.prefix { $0 != "?" })
        guard let text = pages[page] else { return .failed(.status(404), message: "404 Not Found") }
        return text.isEmpty ? .empty : .document(Array(text.utf8))
    }

    /// Reads and resolves a document as if it came from `https://site.test/start`.
    func resolve(_ text: String, _ change: (inout ResolveOptions) -> Void = { _ in }) async -> Resolution {
        var options = ResolveOptions()
        options.baseURL = "https://site.test/start"
        change(&options)
        let reading = VASTReader(options: options.reading).read(text)
        return await VASTResolver().resolve(reading, options: options, clock: FixedClock()) { [self] in answer($0) }
    }
}

extension Resolution {
    /// The pings as `url=code`, sorted.
    var pinged: [String] { pings.map { "\($0.template)=\($0.code.rawValue)" }.sorted() }

    /// The ids of the ads in play order.
    var ids: [String] { ads.map { $0.id ?? "" } }
}

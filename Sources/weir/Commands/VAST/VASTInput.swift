internal import Glibc
internal import WeirAdapterKit
internal import WeirHTTP
internal import WeirTime
internal import WeirVAST

/// The document that a `weir vast` command is about: a file, a URL or standard input.
struct VASTInput: Sendable {
    /// The operand of every `weir vast` command.
    static let operand = "FILE|URL|-"

    /// The options of every `weir vast` command.
    static let options = [
        CommandSpecification.Option("--strict", nil, "takes the specification at its word"),
        CommandSpecification.Option(
            "--map",
            "PREFIX=DIR",
            "answers URLs under PREFIX from files in DIR, all others with 404 (repeatable)",
            isRepeatable: true
        ),
        CommandSpecification.Option(
            "--allow-private",
            "ADDRESS",
            "lets an address or CIDR inside private ranges be reached, such as 127.0.0.1 (repeatable)",
            isRepeatable: true
        ),
        CommandSpecification.Option("--json", nil, "prints JSON"),
    ]

    /// The bytes of a document, or why there are none.
    enum Content: Sendable {
        case bytes([UInt8], url: String?)
        case failed(String)
    }

    /// How long a document given as a URL is waited for.
    private static let patience: Duration = .seconds(10)
    /// The most bytes that are taken from a file or from standard input; the reader has its own, lower limit.
    private static let byteLimit = 128 << 20

    let name: String
    let reading: ReadOptions
    private let mappings: [URLMapping]
    private let addresses: AddressPolicy
    private let content: [UInt8]?

    /// Reads a file or standard input at once; a URL is fetched by ``content(over:)``.
    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        name = arguments.operands[0]
        reading = arguments.has("--strict") ? .strict : .lenient
        var mappings: [URLMapping] = []
        for text in arguments.all("--map") { mappings.append(try URLMapping(text)) }
        self.mappings = mappings
        do { addresses = try AddressPolicy(allowPrivate: arguments.all("--allow-private")) } catch {
            throw Arguments.UsageError(message: "--allow-private: \(error).")
        }
        content = Self.isURL(name) ? nil : try Self.read(name)
    }

    /// The way to everything that is fetched: files, when some URLs are mapped to them, else the network.
    var source: DocumentSource { mappings.isEmpty ? .network(addresses) : .files(mappings) }

    /// The document.
    func content(over fetcher: DocumentFetcher) async -> Content {
        if let content {
            let url = mappings.lazy.compactMap { $0.url(ofFile: name) }.first
            return .bytes(content, url: url)
        }
        let deadline = Deadline.after(Self.patience, clock: fetcher.clock)
        switch await fetcher.fetch(FetchRequest(url: name, deadline: deadline, depth: 0)) {
        case .document(let bytes, let url): return .bytes(bytes, url: url ?? name)
        case .empty: return .bytes([], url: name)
        case .failed(_, let message): return .failed(message)
        }
    }

    private static func isURL(_ name: String) -> Bool { name.contains("://") }

    private static func read(_ name: String) throws(Arguments.UsageError) -> [UInt8] {
        if name == "-" { return readAll(STDIN_FILENO) }
        guard let bytes = readFile(name) else {
            throw Arguments.UsageError(message: "The file \(name) cannot be read.")
        }
        return bytes
    }

    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < byteLimit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}

/// URLs that are answered from files, so that a chain can be replayed without a network.
struct URLMapping: Sendable {
    let prefix: String
    let folder: String

    init(_ text: String) throws(Arguments.UsageError) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw Arguments.UsageError(message: "--map needs PREFIX=DIR, not \"\(text)\".")
        }
        prefix = String(text[..<equals])
        var folder = String(text[text.index(after: equals)...])
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        self.folder = folder
    }

    /// The file that answers for `url`; `nil` when it is not under the prefix or would leave the folder.
    func path(of url: String) -> String? {
        guard url.hasPrefix(prefix) else { return nil }
        let rest = url.dropFirst(prefix.count).prefix { $0 != "?" && $0 != "#" }
        let parts = rest.split(separator: "/")
        guard !parts.isEmpty, !parts.contains("..") else { return nil }
        return folder + "/" + parts.joined(separator: "/")
    }

    /// The URL that stands for a file in the folder.
    func url(ofFile path: String) -> String? {
        guard path.hasPrefix(folder + "/") else { return nil }
        return prefix + (prefix.hasSuffix("/") ? "" : "/") + path.dropFirst(folder.count + 1)
    }
}

internal import WeirAdapterKit

/// Gathers an answer piece by piece and says stop at the first piece that goes over a limit.
struct ResponseCollector {
    /// What an answer broke.
    enum Breach: Hashable {
        case headTooLarge
        case bodyTooLarge
        case unknownEncoding
        case badStatus
        case twoLengths
    }

    private let maxHeaderBytes: Int
    private let maxBodyBytes: Int
    private let isHead: Bool
    /// Bytes of all heads so far.
    private(set) var headerBytes = 0
    /// Whether the head of the last answer, not an interim one, has come.
    private(set) var headIsComplete = false
    private var announcedBytes: Int?
    /// The codings of the body, in the order in which they were applied.
    private(set) var codings: [Inflater.Coding] = []

    private(set) var status = 0
    private(set) var headers: [HTTPHeader] = []
    private(set) var body: [UInt8] = []
    private(set) var breach: Breach?

    init(maxHeaderBytes: Int, maxBodyBytes: Int, isHead: Bool) {
        self.maxHeaderBytes = maxHeaderBytes
        self.maxBodyBytes = maxBodyBytes
        self.isHead = isHead
    }

    /// Whether a status line has come.
    var hasBegun: Bool { headerBytes > 0 }

    var response: InboundResponse { InboundResponse(status: status, headers: headers, body: body) }

    /// Takes one line of a head, its line end included; `false` to give up.
    mutating func addHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.count <= maxHeaderBytes - headerBytes else { return fail(.headTooLarge) }
        headerBytes += line.count
        let text = line.trimmingBlanks()
        if line.starts(with: "HTTP/".utf8) && !headIsComplete {
            return begin(text)
        }
        if text.isEmpty {
            // Heads of interim answers are followed by another one; what follows the last one are trailers.
            headIsComplete = status >= 200
            return true
        }
        if headIsComplete { return true }
        return addField(line, text)
    }

    /// Takes a piece of the decoded body; `false` to give up.
    mutating func addBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= maxBodyBytes - body.count else { return fail(.bodyTooLarge) }
        body.append(contentsOf: bytes)
        return true
    }

    private mutating func fail(_ breach: Breach) -> Bool {
        self.breach = breach
        return false
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Bool {
        headers.removeAll(keepingCapacity: true)
        announcedBytes = nil
        codings = []
        let code = line.split(separator: 0x20, maxSplits: 1).dropFirst().first?.prefix { $0 != 0x20 }
        guard let code, code.count == 3, let status = Int(decimal: code), (100...599).contains(status), status != 101
        else {
            // 101 answers a wish for another protocol, which is never uttered.
            return fail(.badStatus)
        }
        self.status = status
        return true
    }

    private mutating func addField(_ line: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Bool {
        if line.first == 0x20 || line.first == 0x09 {
            // A folded line (RFC 9112 5.2) goes on with the field before it.
            if let last = headers.indices.last { headers[last].value += " " + String(decoding: text, as: UTF8.self) }
            return true
        }
        guard let colon = text.firstIndex(of: 0x3a) else { return true }
        let name = UnsafeRawBufferPointer(rebasing: text[..<colon]).trimmingBlanks()
        let value = UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).trimmingBlanks()
        headers.append(HTTPHeader(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        if name.equalsIgnoringCase("content-length") { return announce(value) }
        if name.equalsIgnoringCase("content-encoding") { return checkEncoding(value) }
        return true
    }

    private mutating func announce(_ value: UnsafeRawBufferPointer) -> Bool {
        // RFC 9112 6.3: whoever believes the other one finds another end, and there another answer.
        let length = Int(decimal: value)
        if let announcedBytes, announcedBytes != length { return fail(.twoLengths) }
        announcedBytes = length
        // 204, 304 and answers to HEAD have no body, whatever length they name (RFC 9112 6.3).
        guard let length, !isHead, status >= 200, status != 204, status != 304 else {
            return true
        }
        if length > maxBodyBytes { return fail(.bodyTooLarge) }
        body.reserveCapacity(length)
        return true
    }

    /// Notes the codings; the ones that were not asked for may need far more memory.
    private mutating func checkEncoding(_ value: UnsafeRawBufferPointer) -> Bool {
        for coding in value.split(separator: 0x2c) {
            let coding = UnsafeRawBufferPointer(rebasing: coding).trimmingBlanks()
            if coding.isEmpty || coding.equalsIgnoringCase("identity") { continue }
            if coding.equalsIgnoringCase("gzip") || coding.equalsIgnoringCase("x-gzip") {
                codings.append(.gzip)
            } else if coding.equalsIgnoringCase("deflate") {
                codings.append(.deflate)
            } else {
                return fail(.unknownEncoding)
            }
        }
        return codings.count <= BodyDecoder.maxCodings || fail(.unknownEncoding)
    }
}

extension Int {
    /// The number written in these digits; `nil` for anything else.
    ///
    /// More than 18 digits are the largest number.
    fileprivate init?(decimal digits: some Collection<UInt8>) {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let significant = digits.drop { $0 == 0x30 }
        self = significant.count > 18 ? .max : significant.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

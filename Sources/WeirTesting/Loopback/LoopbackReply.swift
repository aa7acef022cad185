public import WeirAdapterKit
public import WeirJSON

/// An HTTP answer as it came over the wire.
public struct LoopbackReply: Sendable {
    /// The status.
    public var status: Int
    /// Header fields, in order.
    public var headers: [HTTPHeader]
    /// The body, chunks joined; as much as came when ``isComplete`` is false.
    public var body: [UInt8]
    /// Whether the body ended as its head had announced.
    public var isComplete: Bool

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; `null` when it is none.
    public var json: JSONValue { (try? JSONReader.read(body)) ?? .null }

    /// The first header field called `name`, whatever its case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Reads what a connection delivered until its end; `nil` when that is no answer.
    ///
    /// The answer to a HEAD (`isHead`) has no body, whatever its head announces.
    init?(_ bytes: [UInt8], isHead: Bool) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = bytes[..<end.lowerBound].split(separator: 0x0A).map { line in
            String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
        }
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        let rest = Array(bytes[end.upperBound...])
        if status == 100 {
            guard let final = LoopbackReply(rest, isHead: isHead) else { return nil }
            self = final
            return
        }
        self.status = status
        headers = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return HTTPHeader(String(line[..<colon]), String(value))
        }
        body = rest
        isComplete = true
        frame(rest, isHead: isHead)
    }

    private mutating func frame(_ rest: [UInt8], isHead: Bool) {
        if isHead || status == 204 || status == 304 {
            isComplete = rest.isEmpty
        } else if header("Transfer-Encoding")?.lowercased() == "chunked" {
            (body, isComplete) = joinedChunks(rest)
        } else if let length = header("Content-Length").flatMap({ Int($0) }) {
            isComplete = rest.count == length
        }
    }
}

/// The data of a chunked body, and whether its last chunk came.
private func joinedChunks(_ bytes: [UInt8]) -> ([UInt8], Bool) {
    var joined: [UInt8] = []
    var rest = bytes[...]
    while let line = rest.firstRange(of: [0x0D, 0x0A]) {
        let digits = String(decoding: rest[..<line.lowerBound], as: UTF8.self)
        guard let size = Int(digits.prefix { $0 != ";" }, radix: 16), size >= 0 else { return (joined, false) }
        rest = rest[line.upperBound...]
        if size == 0 { return (joined, rest.starts(with: [0x0D, 0x0A])) }
        joined += rest.prefix(size)
        guard rest.count >= size + 2 else { return (joined, false) }
        rest = rest.dropFirst(size + 2)
    }
    return (joined, false)
}

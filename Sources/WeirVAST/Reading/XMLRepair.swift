/// Makes well-formed what real servers send a little wrong; it never invents a missing end.
///
/// It runs only after the parser has refused a document, and only in lenient mode.
struct XMLRepair {
    /// The repaired document.
    private(set) var output: [UInt8] = []
    /// What was repaired, at most one remark a kind, at the place of its first case.
    private(set) var remarks: [Diagnostic] = []

    private let input: [UInt8]
    private var line = 1
    private var lineStart = 0
    private var counted = 0
    /// The next `]]>` found, so that hostile input cannot make the search quadratic; `input.count` when there is none.
    private var sectionEnd = -1

    init(_ input: [UInt8]) {
        self.input = input
        output.reserveCapacity(input.count + 64)
        run()
    }

    private mutating func run() {
        var index = skipBeforeDeclaration()
        var elementName: Range<Int> = 0..<0
        while index < input.count {
            switch input[index] {
            case UInt8(ascii: "<"):
                if matches("<!--", at: index) {
                    index = copy(index, through: "-->")
                } else if matches("<![CDATA[", at: index) {
                    index = copyCDATA(index, of: elementName)
                } else if matches("<?", at: index) {
                    index = copy(index, through: "?>")
                } else {
                    if index + 1 < input.count, input[index + 1] != UInt8(ascii: "/") {
                        elementName = nameRange(from: index + 1)
                    }
                    output.append(input[index])
                    index += 1
                }
            case UInt8(ascii: "&"):
                output.append(input[index])
                if !isReference(at: index) {
                    output.append(contentsOf: Array("amp;".utf8))
                    remark(.bareAmpersand, index, "An ampersand is not escaped; taken as text.")
                }
                index += 1
            case let byte where Self.isForbidden(byte):
                remark(.invalidCharacters, index, "A control character that XML does not allow was dropped.")
                index += 1
            case let byte:
                output.append(byte)
                index += 1
            }
        }
    }

    /// Drops blanks before the declaration, and the declaration itself when a comment stands before it.
    private mutating func skipBeforeDeclaration() -> Int {
        guard let declaration = firstIndex(of: "<?xml", from: 0, before: min(input.count, 4096)) else { return 0 }
        guard declaration > 0, declaration + 5 < input.count, isXMLSpace(input[declaration + 5]) else { return 0 }
        var index = 0
        while index < declaration {
            if isXMLSpace(input[index]) {
                index += 1
            } else if matches("<!--", at: index), let end = firstIndex(of: "-->", from: index, before: declaration) {
                index = end + 3
            } else {
                return 0
            }
        }
        remark(.beforeDeclaration, declaration, "Something stands before the XML declaration; it was dropped.")
        return firstIndex(of: "?>", from: declaration, before: input.count).map { $0 + 2 } ?? 0
    }

    private mutating func copy(_ start: Int, through end: String) -> Int {
        let stop = firstIndex(of: end, from: start, before: input.count).map { $0 + end.utf8.count } ?? input.count
        copy(start..<stop)
        return stop
    }

    /// Copies without the control characters that XML forbids.
    private mutating func copy(_ range: Range<Int>) {
        for index in range {
            if Self.isForbidden(input[index]) {
                remark(.invalidCharacters, index, "A control character that XML does not allow was dropped.")
            } else {
                output.append(input[index])
            }
        }
    }

    /// Copies a CDATA section; one that runs over the end tag of its element is closed there.
    private mutating func copyCDATA(_ start: Int, of element: Range<Int>) -> Int {
        if sectionEnd < start { sectionEnd = firstIndex(of: "]]>", from: start, before: input.count) ?? input.count }
        let end = sectionEnd < input.count ? sectionEnd : nil
        let endTag = endTag(of: element, from: start, before: end ?? input.count)
        guard let endTag, end == nil || firstIndex(of: "<![CDATA[", from: start + 9, before: end ?? 0) != nil else {
            let stop = end.map { $0 + 3 } ?? input.count
            copy(start..<stop)
            return stop
        }
        var stop = endTag
        while stop > start + 9, input[stop - 1] == UInt8(ascii: "]") || input[stop - 1] == UInt8(ascii: ">") {
            stop -= 1
        }
        copy(start..<stop)
        output.append(contentsOf: Array("]]>".utf8))
        remark(.unfinishedCDATA, start, "A CDATA section is not closed; it was ended before the end tag.")
        return endTag
    }

    private func endTag(of element: Range<Int>, from start: Int, before end: Int) -> Int? {
        guard !element.isEmpty else { return nil }
        let tag = Array("</".utf8) + input[element] + [UInt8(ascii: ">")]
        return firstIndex(of: tag, from: start, before: end)
    }

    private func nameRange(from start: Int) -> Range<Int> {
        var end = start
        while end < input.count, end - start < 128, !isXMLSpace(input[end]), input[end] != UInt8(ascii: ">"),
            input[end] != UInt8(ascii: "/")
        {
            end += 1
        }
        return start..<end
    }

    /// `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`, `&#1;` or `&#x1;`.
    private func isReference(at index: Int) -> Bool {
        let tail = input[(index + 1)..<min(index + 12, input.count)]
        guard let semicolon = tail.firstIndex(of: UInt8(ascii: ";")) else { return false }
        let name = String(decoding: input[(index + 1)..<semicolon], as: UTF8.self)
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return true }
        guard name.hasPrefix("#") else { return false }
        let digits = name.dropFirst()
        let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let value, let scalar = Unicode.Scalar(value) else { return false }
        return scalar.value >= 0x20 || [9, 10, 13].contains(scalar.value)
    }

    private static func isForbidden(_ byte: UInt8) -> Bool { byte < 0x20 && !isXMLSpace(byte) }

    private func matches(_ text: StaticString, at index: Int) -> Bool {
        guard index + text.utf8CodeUnitCount <= input.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where input[index + offset] != text.utf8Start[offset] { return false }
        return true
    }

    private func firstIndex(of text: String, from start: Int, before end: Int) -> Int? {
        firstIndex(of: Array(text.utf8), from: start, before: end)
    }

    private func firstIndex(of pattern: [UInt8], from start: Int, before end: Int) -> Int? {
        guard let first = pattern.first, start < end, end <= input.count else { return nil }
        var index = start
        while index + pattern.count <= end {
            if input[index] == first, input[index..<index + pattern.count].elementsEqual(pattern) { return index }
            index += 1
        }
        return nil
    }

    /// Adds the first remark of its kind.
    private mutating func remark(_ code: DiagnosticCode, _ index: Int, _ message: String) {
        guard !remarks.contains(where: { $0.code == code }) else { return }
        while counted < index {
            if input[counted] == UInt8(ascii: "\n") {
                line += 1
                lineStart = counted + 1
            }
            counted += 1
        }
        remarks.append(
            Diagnostic(code: code, severity: .warning, line: line, column: index - lineStart + 1, message: message)
        )
    }
}

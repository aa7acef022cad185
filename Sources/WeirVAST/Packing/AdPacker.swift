/// A value that can be written down in few bytes and read back.
protocol Packable {
    /// A value to read into.
    static var blank: Self { get }

    /// Passes each field in turn: the same walk writes and reads.
    mutating func pass(_ packer: inout AdPacker)
}

/// Walks over the fields of a value: writes them down, or reads them back into it.
///
/// Numbers take as many bytes as they need. A text that came before is named by its number; any other says how much of its
/// beginning and end it shares with the text before it, which is most of it: the trackers of an ad differ in a word.
///
/// Only bytes that a packer has written are ever read; others give blanks, and trap nowhere.
struct AdPacker {
    private(set) var bytes: [UInt8]
    private var place = 0
    let isReading: Bool
    /// The texts so far, in order.
    private var texts: [[UInt8]] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// The last new text that is a URL, and the last that is none.
    private var previous: [[UInt8]] = [[], []]

    /// A packer that writes.
    init() {
        bytes = []
        isReading = false
    }

    /// A packer that reads.
    init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    // MARK: Numbers

    mutating func pass(_ number: inout UInt64) {
        if isReading { number = readNumber() } else { write(number) }
    }

    mutating func pass(_ number: inout Int64) {
        // The sign goes to the end, so that small negative numbers are short too.
        var zigzag = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        pass(&zigzag)
        number = Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    }

    mutating func pass(_ number: inout Int) {
        var wide = Int64(number)
        pass(&wide)
        number = Int(truncatingIfNeeded: wide)
    }

    mutating func pass(_ number: inout Double) {
        var pattern = number.bitPattern
        pass(&pattern)
        number = Double(bitPattern: pattern)
    }

    mutating func pass(_ flag: inout Bool) {
        var number: UInt64 = flag ? 1 : 0
        pass(&number)
        flag = number == 1
    }

    mutating func pass(_ duration: inout Duration) {
        var (seconds, attoseconds) = duration.components
        pass(&seconds)
        pass(&attoseconds)
        duration = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }

    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func readNumber() -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while place < bytes.count, shift < 64 {
            let byte = bytes[place]
            place += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return number
    }

    // MARK: Texts

    mutating func pass(_ text: inout String) {
        if isReading { text = String(decoding: readText(), as: UTF8.self) } else { write(Array(text.utf8)) }
    }

    /// The first two numbers are new texts, derived from the last URL or the last other text; higher ones are old texts.
    private static let firstOld: UInt64 = 2

    private mutating func write(_ text: [UInt8]) {
        if let number = numbers[text] { return write(UInt64(number) + Self.firstOld) }
        let kind = Self.isURL(text) ? 0 : 1
        let base = previous[kind]
        let prefix = zip(base, text).prefix { $0 == $1 }.count
        let room = min(base.count, text.count) - prefix
        let suffix = zip(base.reversed(), text.reversed()).prefix(room).prefix { $0 == $1 }.count
        write(UInt64(kind))
        write(UInt64(prefix))
        write(UInt64(suffix))
        write(UInt64(text.count - prefix - suffix))
        bytes += text[prefix..<(text.count - suffix)]
        note(text, kind)
    }

    private mutating func readText() -> [UInt8] {
        let number = readNumber()
        if number >= Self.firstOld {
            let old = Int(truncatingIfNeeded: number - Self.firstOld)
            return texts.indices.contains(old) ? texts[old] : []
        }
        let kind = Int(number)
        let base = previous[kind]
        let prefix = readCount { _ in base.count }
        let suffix = readCount { _ in base.count - prefix }
        let middle = readCount { $0.bytes.count - $0.place }
        let text = base.prefix(prefix) + bytes[place..<(place + middle)] + base.suffix(suffix)
        place += middle
        note(Array(text), kind)
        return Array(text)
    }

    /// A number that is at most what `most` says once it is read.
    private mutating func readCount(_ most: (AdPacker) -> Int) -> Int {
        let number = readNumber()
        return Int(min(number, UInt64(max(most(self), 0))))
    }

    private mutating func note(_ text: [UInt8], _ kind: Int) {
        previous[kind] = text
        if isReading { texts.append(text) } else { numbers[text] = numbers.count }
    }

    private static func isURL(_ text: [UInt8]) -> Bool { text.starts(with: [0x68, 0x74, 0x74, 0x70]) }

    mutating func pass<Word: RawRepresentable>(_ word: inout Word) where Word.RawValue == String {
        var text = word.rawValue
        pass(&text)
        if isReading, let read = Word(rawValue: text) { word = read }
    }

    // MARK: What may be absent, and lists

    /// Passes a value that may be absent; `blank` is read into.
    mutating func pass<Value>(
        _ value: inout Value?,
        or blank: Value,
        _ walk: (inout AdPacker, inout Value) -> Void
    ) {
        var isThere = value != nil
        pass(&isThere)
        guard isThere else {
            value = nil
            return
        }
        var there = value ?? blank
        walk(&self, &there)
        value = there
    }

    mutating func pass<Value: Packable>(_ value: inout Value) { value.pass(&self) }
    mutating func pass(_ text: inout String?) { pass(&text, or: "") { $0.pass(&$1) } }
    mutating func pass(_ number: inout Int?) { pass(&number, or: 0) { $0.pass(&$1) } }
    mutating func pass(_ number: inout Double?) { pass(&number, or: 0) { $0.pass(&$1) } }
    mutating func pass(_ flag: inout Bool?) { pass(&flag, or: false) { $0.pass(&$1) } }
    mutating func pass(_ duration: inout Duration?) { pass(&duration, or: .zero) { $0.pass(&$1) } }
    mutating func pass<Value: Packable>(_ value: inout Value?) { pass(&value, or: .blank) { $1.pass(&$0) } }

    /// Passes a list; each element that is read begins as `blank`.
    mutating func pass<Element>(
        _ list: inout [Element],
        of blank: Element,
        _ walk: (inout AdPacker, inout Element) -> Void
    ) {
        var count = UInt64(list.count)
        pass(&count)
        // Every element has at least one byte, so that a count beyond that is none of ours.
        if isReading { list = Array(repeating: blank, count: Int(min(count, UInt64(bytes.count - place)))) }
        for index in list.indices { walk(&self, &list[index]) }
    }

    mutating func pass(_ texts: inout [String]) { pass(&texts, of: "") { $0.pass(&$1) } }
    mutating func pass<Element: Packable>(_ list: inout [Element]) { pass(&list, of: .blank) { $1.pass(&$0) } }
}

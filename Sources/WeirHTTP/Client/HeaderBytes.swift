extension UnsafeRawBufferPointer {
    /// Without blanks, tabulators and line ends on either side.
    func trimmingBlanks() -> UnsafeRawBufferPointer {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0x0a }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(rebasing: self[first...last])
    }

    /// Whether these bytes are `text`, which is in small letters, in any case.
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { letters in
            zip(self, letters).allSatisfy { byte, letter in
                ((0x41...0x5a).contains(byte) ? byte | 0x20 : byte) == letter
            }
        }
    }
}

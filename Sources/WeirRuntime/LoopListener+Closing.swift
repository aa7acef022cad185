internal import Glibc

extension LoopListener {
    /// Lets no new connection begin, while those that have begun can still be accepted.
    ///
    /// Closing a listener resets whoever the kernel has queued, or is just queueing. With a socket filter that drops the
    /// first packet of every handshake the queue can be emptied first: a newcomer tries again a second later and is then
    /// refused properly. The connections accepted meanwhile inherit the filter, which lets all their packets through.
    package func holdNewcomersOff() {
        loop.requireLoop()
        guard kind == .tcp, let descriptor else { return }
        // Where the kernel refuses the filter, only a gap of microseconds stays open.
        Self.dropHandshakes.withUnsafeBytes { instructions in
            var program = FilterProgram(
                count: UInt16(instructions.count / 8),
                instructions: instructions.baseAddress
            )
            setsockopt(descriptor, SOL_SOCKET, Self.attachFilter, &program, socklen_t(MemoryLayout<FilterProgram>.size))
        }
    }

    /// `SO_ATTACH_FILTER` of `asm-generic/socket.h`, which the C library's module leaves out.
    private static let attachFilter: Int32 = 26

    /// `struct sock_fprog` of `linux/filter.h`: a count and, where the alignment puts it, a pointer.
    private struct FilterProgram {
        var count: UInt16
        var instructions: UnsafeRawPointer?
    }

    /// Five instructions of `linux/filter.h` (code, jump if true, jump if false, operand) on a segment's header.
    private static let dropHandshakes: [UInt64] = [
        // Load byte 13, the flags.
        instruction(code: 0x30, operand: 13),
        // Keep SYN and ACK.
        instruction(code: 0x54, operand: 0x12),
        // SYN alone: the next instruction, else the one after it.
        instruction(code: 0x15, ifFalse: 1, operand: 0x02),
        // Drop.
        instruction(code: 0x06, operand: 0),
        // Keep all of it.
        instruction(code: 0x06, operand: 0x40000),
    ]

    private static func instruction(code: UInt64, ifFalse: UInt64 = 0, operand: UInt64) -> UInt64 {
        // As the fields lie in memory on a little-endian machine: code 16 bits, both jumps 8 each, operand 32.
        (code | ifFalse << 24 | operand << 32).littleEndian
    }
}

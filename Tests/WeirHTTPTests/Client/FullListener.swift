import Glibc

/// A listener whose queue is full, so that the kernel lets further connections wait.
final class FullListener {
    let port: UInt16
    private var descriptors: [Int32] = []

    init() {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        descriptors = [listener]
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                precondition(bind(listener, address, length) == 0)
                precondition(listen(listener, 0) == 0)
                precondition(getsockname(listener, address, &length) == 0)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        for _ in 0..<4 {
            let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
            let filler = socket(AF_INET, Int32(type), 0)
            descriptors.append(filler)
            withUnsafePointer(to: &address) { pointer in
                _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(filler, $0, length) }
            }
        }
    }

    func close() {
        for descriptor in descriptors { Glibc.close(descriptor) }
        descriptors = []
    }
}

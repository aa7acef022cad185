internal import CCurl
internal import Glibc

// What libcurl calls during a transfer, on the loop's thread. Free functions, so that no actor's isolation clings to
// them. None of them calls libcurl back.

/// A line of a head; anything but the count given ends the transfer.
func receiveHeaderLine(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ owner: UnsafeMutableRawPointer?
) -> Int {
    let length = size * count
    let line = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : length)
    return Transfer.receiving(owner)?.collector.addHeaderLine(line) == true ? length : refusal(of: length)
}

/// A piece of the body as it came; anything but the count given ends the transfer.
func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ owner: UnsafeMutableRawPointer?
) -> Int {
    let length = size * count
    let piece = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : length)
    return Transfer.receiving(owner)?.takeBody(piece) == true ? length : refusal(of: length)
}

/// A count that differs from `length`, also when that is 0.
private func refusal(of length: Int) -> Int { length == 0 ? 1 : 0 }

/// Opens the socket for a connection to the address given, if the network may reach it.
func openSocket(
    _ owner: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ target: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let user = CurlUser.behind(owner), let target, let start = weir_sockaddr(target) else {
        return CURL_SOCKET_BAD
    }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(target.pointee.addrlen))
    guard let address = IPAddress(socketAddress: bytes), user.mayReach(address) else { return CURL_SOCKET_BAD }
    user.reach?.hasTried = true
    let type = target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(target.pointee.family, type, target.pointee.protocol)
    if descriptor < 0 {
        user.reach?.socketError = errno
        return CURL_SOCKET_BAD
    }
    return descriptor
}

/// Closes a connection's socket, after the loop has let go of it.
func closeSocket(_ pool: UnsafeMutableRawPointer?, _ descriptor: curl_socket_t) -> Int32 {
    ConnectionPool.behind(pool)?.release(descriptor)
    return close(descriptor)
}

/// Looks at the connection about to be used, a kept one too, before the first byte of the request goes out.
func checkConnection(
    _ owner: UnsafeMutableRawPointer?,
    _ primary: UnsafeMutablePointer<CChar>?,
    _ local: UnsafeMutablePointer<CChar>?,
    _ primaryPort: Int32,
    _ localPort: Int32
) -> Int32 {
    guard let user = CurlUser.behind(owner), let primary, let address = IPAddress(String(cString: primary)),
        user.mayReach(address)
    else { return CURL_PREREQFUNC_ABORT }
    user.reach?.isConnected = true
    return CURL_PREREQFUNC_OK
}

internal import CCurl

/// libcurl's easy handle, for one transfer or one connection.
///
/// Not safe to share: it belongs to the loop whose client made it.
final class CurlHandle {
    let raw: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// `nil` when no memory is left.
    init?() {
        guard CurlLibrary.isReady, let raw = curl_easy_init() else { return nil }
        self.raw = raw
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(headerList)
        errorText.deallocate()
    }

    /// Sets everything for one transfer.
    ///
    /// - Parameters:
    ///   - head: What to send.
    ///   - policy: The rules.
    ///   - user: What the transfer's callbacks are given; valid until the handle has left its multi handle.
    ///   - pool: What the callback that closes a connection is given; valid until the multi handle is gone.
    func configure(
        _ head: RequestHead,
        _ policy: OutboundPolicy,
        user: UnsafeMutableRawPointer,
        pool: UnsafeMutableRawPointer
    ) {
        setRules(policy)
        setConnecting(user, pool)
        weir_set_write(raw, CURLOPT_HEADERFUNCTION, receiveHeaderLine)
        weir_set_ptr(raw, CURLOPT_HEADERDATA, user)
        weir_set_write(raw, CURLOPT_WRITEFUNCTION, receiveBody)
        weir_set_ptr(raw, CURLOPT_WRITEDATA, user)
        setRequest(head)
        // libcurl repeats what ends without an answer on a kept connection, whatever was counted there.
        if head.isCounted { weir_set_long(raw, CURLOPT_FRESH_CONNECT, 1) }
    }

    /// Sets everything for one connection that is ours to use, without a request.
    ///
    /// - Parameters:
    ///   - url: Where to; path and query are left out.
    ///   - policy: The rules.
    ///   - user: What the callbacks are given; valid until the handle has left its multi handle.
    ///   - pool: What the callback that closes a connection is given; valid until the multi handle is gone.
    func configureConnection(
        _ url: OutboundURL,
        _ policy: OutboundPolicy,
        user: UnsafeMutableRawPointer,
        pool: UnsafeMutableRawPointer
    ) {
        setRules(policy)
        setConnecting(user, pool)
        weir_set_long(raw, CURLOPT_CONNECT_ONLY, 1)
        // Nothing is read into libcurl's own buffer, and 16 KiB for each of hundreds of attempts would be kept all the same.
        weir_set_long(raw, CURLOPT_BUFFERSIZE, 1024)
        // A connection that some transfer of libcurl's has left behind is not ours.
        weir_set_long(raw, CURLOPT_FRESH_CONNECT, 1)
        weir_set_str(raw, CURLOPT_URL, "\(url.isSecure ? "https" : "http")://\(url.authority)/")
    }

    /// The socket of the connection that ``configureConnection(_:_:user:pool:)`` led to; negative when there is none.
    var activeSocket: Int32 { weir_active_socket(raw) }

    /// libcurl's own words on what went wrong.
    var detail: String { String(cString: errorText) }

    /// The system's error of the last attempt to connect.
    var systemError: Int32 {
        var value = 0
        weir_get_long(raw, CURLINFO_OS_ERRNO, &value)
        return Int32(truncatingIfNeeded: value)
    }

    private func setRules(_ policy: OutboundPolicy) {
        weir_set_long(raw, CURLOPT_NOSIGNAL, 1)
        // An ended transfer must not wait on the loop's thread until the system's resolver has given up.
        weir_set_long(raw, CURLOPT_QUICK_EXIT, 1)
        weir_set_ptr(raw, CURLOPT_ERRORBUFFER, errorText)
        weir_set_long(raw, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        weir_set_str(raw, CURLOPT_PROTOCOLS_STR, "http,https")
        weir_set_str(raw, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        weir_set_long(raw, CURLOPT_FOLLOWLOCATION, 0)
        // An empty name, so that no environment variable brings in a proxy.
        weir_set_str(raw, CURLOPT_PROXY, "")
        weir_set_long(raw, CURLOPT_NETRC, 0)
        // What is coded is undone by us, within limits that libcurl does not have.
        weir_set_long(raw, CURLOPT_HTTP_CONTENT_DECODING, 0)
        weir_set_long(raw, CURLOPT_TCP_NODELAY, 1)
        weir_set_str(raw, CURLOPT_USERAGENT, policy.userAgent)
        weir_set_long(raw, CURLOPT_SSL_VERIFYPEER, 1)
        weir_set_long(raw, CURLOPT_SSL_VERIFYHOST, 2)
        // The bundle alone, not the folder with the same certificates: what stands in one file is read once a day for all
        // connections of a pool, and once for each of them otherwise.
        weir_set_str(raw, CURLOPT_CAPATH, nil)
        if let caFile = policy.caFile { weir_set_str(raw, CURLOPT_CAINFO, caFile) }
    }

    private func setConnecting(_ user: UnsafeMutableRawPointer, _ pool: UnsafeMutableRawPointer) {
        weir_set_ptr(raw, CURLOPT_PRIVATE, user)
        weir_set_open_socket(raw, openSocket)
        weir_set_ptr(raw, CURLOPT_OPENSOCKETDATA, user)
        weir_set_close_socket(raw, closeSocket)
        weir_set_ptr(raw, CURLOPT_CLOSESOCKETDATA, pool)
        weir_set_prereq(raw, checkConnection)
        weir_set_ptr(raw, CURLOPT_PREREQDATA, user)
    }

    private func setRequest(_ head: RequestHead) {
        weir_set_str(raw, CURLOPT_URL, head.url.text)
        for line in head.lines {
            if let longer = curl_slist_append(headerList, line) { headerList = longer }
        }
        weir_set_ptr(raw, CURLOPT_HTTPHEADER, headerList)
        if head.sendsBody {
            weir_set_long(raw, CURLOPT_POST, 1)
            weir_set_off(raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(head.body.count))
            // libcurl reads no further than the size, but a null pointer would make it ask for a callback.
            if head.body.isEmpty {
                weir_set_str(raw, CURLOPT_COPYPOSTFIELDS, "")
            } else {
                weir_set_ptr(raw, CURLOPT_COPYPOSTFIELDS, head.body)
            }
        } else if head.isHead {
            weir_set_long(raw, CURLOPT_NOBODY, 1)
        } else {
            weir_set_long(raw, CURLOPT_HTTPGET, 1)
        }
        if !["GET", "HEAD", "POST"].contains(head.method) || (head.sendsBody && head.method != "POST") {
            weir_set_str(raw, CURLOPT_CUSTOMREQUEST, head.method)
        }
    }
}

/// libcurl as a whole.
enum CurlLibrary {
    /// Whether it could be set up; done once, by whoever comes first.
    static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// The encodings that are asked for: none that may claim much memory for each answer.
    ///
    /// gzip and deflate look back 32 KiB; brotli takes 16 MiB and zstd 128 MiB when the sender says so.
    static let acceptedEncodings = "gzip, deflate"
}

internal import CCurl
internal import Glibc
internal import WeirAdapterKit
internal import WeirTime

/// What is known about a transfer that ended without an answer, and the sentence it makes.
struct TransferFailure {
    /// libcurl's verdict.
    var code: CURLcode
    /// Where the request went.
    var url: OutboundURL
    /// The limits, for the sentence.
    var policy = OutboundPolicy()
    /// What the answer broke, if that ended it.
    var breach: ResponseCollector.Breach?
    /// The first address that the policy refused.
    var refused: (address: IPAddress, kind: SpecialAddress)?
    /// Whether any address was connected to.
    var hasTried = false
    /// The system's error of the last attempt to connect.
    var systemError: Int32 = 0
    /// libcurl's own words.
    var detail = ""
    /// Whether the request was on its way, and a part of the answer may have come.
    var hasBegun = false

    private var authority: String { url.authority }

    var error: TransportError {
        if let breach { return error(of: breach) }
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_ABORTED_BY_CALLBACK: return connectError
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return TransportError(.dns, "\(url.host): the name could not be resolved.")
        case CURLE_OPERATION_TIMEDOUT:
            return TransportError(.timeout, "\(authority) did not answer in time.", mayHaveArrived: hasBegun)
        case CURLE_URL_MALFORMAT:
            return TransportError(.addressRefused, "\(authority): the URL is malformed.")
        case CURLE_BAD_CONTENT_ENCODING:
            return TransportError(.badEncoding, "\(authority): the body's content encoding could not be undone.")
        case CURLE_OUT_OF_MEMORY where hasBegun, Self.tooLargeCode:
            // How libcurl ends a single header line of more than 100 KiB.
            return error(of: .headTooLarge)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            return TransportError(.reset, "\(authority): what came back is not HTTP.")
        case CURLE_GOT_NOTHING:
            return TransportError(.reset, "\(authority) closed the connection without an answer.")
        case CURLE_PARTIAL_FILE:
            return TransportError(.reset, "\(authority) closed the connection before the whole body had come.")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            return TransportError(.reset, "\(authority): the connection broke.")
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT:
            return TransportError(.saturated, "\(authority): no memory is left for the request.")
        default:
            return Self.tlsCodes.contains(code.rawValue) ? tlsError : otherError
        }
    }

    /// The error of a request that was given `time`, which is rounded to the millisecond.
    static func timeout(_ url: OutboundURL, after time: Duration, mayHaveArrived: Bool) -> TransportError {
        let milliseconds = (max(.zero, time) + .microseconds(500)).milliseconds
        let sentence = "\(url.authority) did not answer within \(milliseconds) ms."
        return TransportError(.timeout, sentence, mayHaveArrived: mayHaveArrived)
    }

    private func error(of breach: ResponseCollector.Breach) -> TransportError {
        switch breach {
        case .headTooLarge:
            TransportError(.tooLarge, "\(authority): the answer's head is larger than \(policy.maxHeaderBytes) bytes.")
        case .bodyTooLarge:
            TransportError(.tooLarge, "\(authority): the answer's body is larger than \(policy.maxBodyBytes) bytes.")
        case .unknownEncoding:
            TransportError(.badEncoding, "\(authority): the body has a content encoding that was not asked for.")
        case .badStatus:
            TransportError(.reset, "\(authority): what came back is not HTTP.")
        case .twoLengths:
            TransportError(.reset, "\(authority): the answer has two lengths.")
        }
    }

    private var connectError: TransportError {
        // An address that was tried tells more than one that was not, unless the refused one was already connected.
        if let refused, !hasTried || code == CURLE_ABORTED_BY_CALLBACK {
            return TransportError(
                .addressRefused,
                "\(authority) leads to \(refused.address), \(refused.kind.rawValue) that the network may not reach."
            )
        }
        switch systemError {
        case ECONNREFUSED: return TransportError(.connectionRefused, "\(authority): connection refused.")
        case ETIMEDOUT:
            let sentence = "\(authority) did not accept a connection in time."
            return TransportError(.timeout, sentence, mayHaveArrived: false)
        case EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL:
            return TransportError(.saturated, "\(authority): no more connections can be opened.")
        case ECONNRESET, EPIPE:
            return TransportError(.reset, "\(authority): the connection broke.", mayHaveArrived: hasBegun)
        case ENETUNREACH, EHOSTUNREACH:
            return TransportError(.connectionRefused, "\(authority): there is no way to that host.")
        default: return TransportError(.connectionRefused, "\(authority) could not be connected to.")
        }
    }

    private var tlsError: TransportError {
        TransportError(.tls, "\(authority): TLS failed" + (detail.isEmpty ? "." : ": \(detail)."))
    }

    private var otherError: TransportError {
        TransportError(.reset, "\(authority): the exchange failed (\(String(cString: curl_easy_strerror(code)))).")
    }

    /// `CURLE_TOO_LARGE`, which the headers know since libcurl 8.6.
    private static let tooLargeCode = CURLcode(rawValue: 100)

    /// libcurl's codes whose cause is TLS, certificates or the file of trusted ones.
    private static let tlsCodes: Set<UInt32> = Set(
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
        ].map(\.rawValue)
    )
}

import CCurl
import Glibc
import Testing
import WeirAdapterKit

@testable import WeirHTTP

@Suite("TransferFailure")
struct TransferFailureTests {
    private func failure(_ code: CURLcode) throws -> TransferFailure {
        TransferFailure(code: code, url: try OutboundURL("https://user:secret@ads.example/path?query#fragment"))
    }

    @Test(
        "libcurl's codes have kinds and sentences",
        arguments: [
            (CURLE_COULDNT_RESOLVE_HOST, TransportError.Kind.dns, "ads.example: the name could not be resolved."),
            (CURLE_OPERATION_TIMEDOUT, .timeout, "ads.example:443 did not answer in time."),
            (CURLE_GOT_NOTHING, .reset, "ads.example:443 closed the connection without an answer."),
            (CURLE_PARTIAL_FILE, .reset, "ads.example:443 closed the connection before the whole body had come."),
            (CURLE_RECV_ERROR, .reset, "ads.example:443: the connection broke."),
            (CURLE_SEND_ERROR, .reset, "ads.example:443: the connection broke."),
            (CURLE_WEIRD_SERVER_REPLY, .reset, "ads.example:443: what came back is not HTTP."),
            (CURLE_UNSUPPORTED_PROTOCOL, .reset, "ads.example:443: what came back is not HTTP."),
            (CURLE_URL_MALFORMAT, .addressRefused, "ads.example:443: the URL is malformed."),
            (CURLE_SSL_CONNECT_ERROR, .tls, "ads.example:443: TLS failed."),
            (CURLE_PEER_FAILED_VERIFICATION, .tls, "ads.example:443: TLS failed."),
            (CURLE_SSL_CACERT_BADFILE, .tls, "ads.example:443: TLS failed."),
            (CURLE_COULDNT_CONNECT, .connectionRefused, "ads.example:443 could not be connected to."),
            (CURLE_OUT_OF_MEMORY, .saturated, "ads.example:443: no memory is left for the request."),
            (CURLcode(rawValue: 100), .tooLarge, "ads.example:443: the answer's head is larger than 65536 bytes."),
        ]
    )
    func codes(code: CURLcode, kind: TransportError.Kind, message: String) throws {
        let error = try failure(code).error
        #expect(error.kind == kind && error.message == message)
        // Nothing of a request has gone out before there is a connection.
        if kind == .timeout { #expect(!error.mayHaveArrived) }
    }

    @Test("no code at all lets path, query or user through")
    func silence() throws {
        for code in UInt32(1)...110 {
            var failure = try failure(CURLcode(rawValue: code))
            for system in [0, ECONNREFUSED, ETIMEDOUT, EMFILE, ENETUNREACH, ECONNRESET] {
                failure.systemError = system
                let message = failure.error.message
                #expect(message.hasPrefix("ads.example") && message.hasSuffix("."), "\(message)")
                for secret in ["secret", "path", "query"] { #expect(!message.contains(secret), "\(message)") }
            }
        }
    }

    @Test(
        "why a connection failed is told apart",
        arguments: [
            (ECONNREFUSED, TransportError.Kind.connectionRefused, "ads.example:443: connection refused."),
            (ETIMEDOUT, .timeout, "ads.example:443 did not accept a connection in time."),
            (EHOSTUNREACH, .connectionRefused, "ads.example:443: there is no way to that host."),
            (EMFILE, .saturated, "ads.example:443: no more connections can be opened."),
            (EADDRNOTAVAIL, .saturated, "ads.example:443: no more connections can be opened."),
        ]
    )
    func connecting(code: Int32, kind: TransportError.Kind, message: String) throws {
        var failure = try failure(CURLE_COULDNT_CONNECT)
        failure.hasTried = true
        failure.systemError = code
        #expect(failure.error.kind == kind && failure.error.message == message)
        #expect(!failure.error.mayHaveArrived)
    }

    @Test(
        "a time-out names the time that was given, to the millisecond",
        arguments: [
            (Duration.milliseconds(400), "400"), (.microseconds(399_600), "400"), (.microseconds(400_400), "400"),
            (.seconds(10), "10000"), (.microseconds(300), "0"), (.zero, "0"), (.milliseconds(-5), "0"),
        ]
    )
    func timeout(time: Duration, number: String) throws {
        let url = try OutboundURL("http://127.0.0.1:1234/path")
        let error = TransferFailure.timeout(url, after: time, mayHaveArrived: false)
        let sentence = "127.0.0.1:1234 did not answer within \(number) ms."
        #expect(error == TransportError(.timeout, sentence, mayHaveArrived: false))
    }

    @Test("a refused address is named, unless another one was tried")
    func refusedAddress() throws {
        var failure = try failure(CURLE_COULDNT_CONNECT)
        failure.refused = (IPAddress(v4: 0x7f00_0001), .loopback)
        let sentence = "ads.example:443 leads to 127.0.0.1, a loopback address that the network may not reach."
        #expect(failure.error == TransportError(.addressRefused, sentence))
        failure.hasTried = true
        failure.systemError = ECONNREFUSED
        #expect(failure.error.kind == .connectionRefused)
        failure.code = CURLE_ABORTED_BY_CALLBACK
        #expect(failure.error.kind == .addressRefused)
    }
}

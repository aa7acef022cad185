import Testing
import WeirJSON

/// One row of the table: what a network does, and what it costs.
struct HostileCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// `result(reason)` of the attempt.
    let verdict: String
    /// Where the line's tag stands; `{wire}`, `{silent}` and the like are the hostile servers' authorities.
    let tag: String
    /// What is done to a connection of this row, when its tag leads to `{wire}`.
    var behaviour: HostileServer.Behaviour?
    /// Which private addresses the network may reach.
    var allowed: [String] = ["127.0.0.1"]
    /// The time of the line, in milliseconds.
    var timeout = 2000
    /// The longest that the whole request may take, in milliseconds.
    var longest = 4000
    /// The most that the process may grow for it at its peak, in KiB.
    var growth = 12_288
    /// The most requests that the row may make at the wire server.
    var requests = 1
    var adapter = "vast"

    var testDescription: String { name }

    /// A row whose tag leads to a path of its own on the wire server.
    init(_ name: String, _ verdict: String, _ behaviour: @escaping HostileServer.Behaviour) {
        self.init(name, verdict, tag: "http://{wire}\(Self.path(name))")
        self.behaviour = behaviour
    }

    /// A row whose tag leads elsewhere.
    init(_ name: String, _ verdict: String, tag: String) {
        self.name = name
        self.verdict = verdict
        self.tag = tag
    }

    /// The row's path on the wire server.
    var path: String { Self.path(name) }

    private static func path(_ name: String) -> String {
        "/" + name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }.joined()
    }

    /// The same row with something changed.
    func with(_ change: (inout HostileCase) -> Void) -> HostileCase {
        var copy = self
        change(&copy)
        return copy
    }

    /// A row whose network sends these bytes and closes.
    static func sends(_ name: String, _ verdict: String, _ bytes: [UInt8]) -> HostileCase {
        HostileCase(name, verdict) { connection, _ in
            connection.write(bytes)
            connection.end()
        }
    }

    /// A row whose network sends this text and closes.
    static func sends(_ name: String, _ verdict: String, _ text: String) -> HostileCase {
        sends(name, verdict, Array(text.utf8))
    }

    /// A row whose network answers properly with this document.
    static func document(_ name: String, _ verdict: String, _ text: String) -> HostileCase {
        HostileCase(name, verdict) { connection, _ in connection.answer(Array(text.utf8)) }
    }

    /// A row whose network answers with a wrapper that leads to `url`.
    static func wrapper(_ name: String, _ verdict: String, to url: String) -> HostileCase {
        document(name, verdict, wrapped(url))
    }

    /// A document of one wrapper.
    static func wrapped(_ url: String) -> String {
        "<VAST version=\"4.2\"><Ad id=\"w\"><Wrapper><AdSystem>x</AdSystem><Impression/>"
            + "<VASTAdTagURI><![CDATA[\(url)]]></VASTAdTagURI></Wrapper></Ad></VAST>"
    }

    /// A document that fills.
    static let film = Array(
        """
        <VAST version="4.2"><Ad id="f"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle><Impression/><Creatives>
        <Creative><Linear><Duration>00:00:05</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4"
        width="640" height="360"><![CDATA[https://media.example/f.mp4]]></MediaFile></MediaFiles></Linear></Creative>
        </Creatives></InLine></Ad></VAST>
        """.utf8
    )
}

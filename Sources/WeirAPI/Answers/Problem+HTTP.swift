package import WeirHTTP

extension Problem {
    /// What the HTTP server itself refuses, before there is a request to route.
    package init(_ fault: ProtocolFault) {
        if fault == .overloaded {
            self = .overloaded
            return
        }
        self.init(
            status: fault.status,
            code: fault.code,
            title: "The request cannot be read",
            detail: fault.sentence
        )
    }

    /// The answer that carries this problem.
    package var response: ServerResponse {
        ServerResponse(
            status: status,
            headers: [("Content-Type", Self.mediaType)] + headers.map { ($0.name, $0.value) },
            body: .bytes(body.endingLine())
        )
    }
}

extension ServerResponse {
    /// An answer of JSON.
    static func json(_ body: consuming [UInt8], status: Int = 200) -> ServerResponse {
        ServerResponse(
            status: status,
            headers: [("Content-Type", "application/json")],
            body: .bytes(body.endingLine())
        )
    }

    /// The same answer with one more header field.
    func with(_ name: String, _ value: String) -> ServerResponse {
        var response = self
        response.headers.append((name, value))
        return response
    }
}

extension [UInt8] {
    /// The text with a line end, so that who asks in a shell finds the prompt on a line of its own.
    consuming func endingLine() -> [UInt8] {
        var text = self
        text.append(UInt8(ascii: "\n"))
        return text
    }
}

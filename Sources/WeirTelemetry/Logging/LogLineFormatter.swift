internal import WeirJSON
internal import WeirTime

/// Turns events into lines, without secrets and never longer than a limit.
struct LogLineFormatter: Sendable {
    let format: LogFormat
    let redactor: Redactor
    let lineBytes: Int

    /// The line of `event`, with its line break.
    func line(_ event: LogEvent) -> [UInt8] {
        let whole = line(event, fields: event.fields, isCut: false)
        if whole.count <= lineBytes { return whole }
        // A byte of text can take six in JSON; these shares stay below the limit even then. Secrets go first, lest a cut
        // leave half of one behind.
        var shorter = event
        shorter.message = cut(redactor.redact(event.message), to: lineBytes / 10)
        shorter.name = cut(redactor.redact(event.name), to: lineBytes / 64)
        shorter.requestID = event.requestID.map { cut(redactor.redact($0), to: lineBytes / 64) }
        return line(shorter, fields: [:], isCut: true)
    }

    private func line(_ event: LogEvent, fields: LogFields, isCut: Bool) -> [UInt8] {
        switch format {
        case .json: json(event, fields, isCut: isCut)
        case .human(let colour): human(event, fields, isCut: isCut, colour: colour)
        }
    }

    // MARK: JSON

    private func json(_ event: LogEvent, _ fields: LogFields, isCut: Bool) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("ts", event.time.rfc3339)
            json.member("level", event.level.rawValue)
            json.member("event", redactor.redact(event.name))
            json.member("message", redactor.redact(event.message))
            if let id = event.requestID { json.member("request_id", redactor.redact(id)) }
            for (name, field) in zip(ownNames(fields), fields.list) { json.member(name, shown(field.value)) }
            if isCut { json.member("truncated", true) }
        }
        return json.bytes + [0x0A]
    }

    /// The fields' names, changed where one would take the name of a part that every line has, or of another field.
    private func ownNames(_ fields: LogFields) -> [String] {
        var taken: Set = ["ts", "level", "event", "message", "request_id", "truncated"]
        return fields.list.map { field in
            var name = redactor.redact(field.name)
            while !taken.insert(name).inserted { name += "_" }
            return name
        }
    }

    private func shown(_ value: LogValue) -> JSONValue {
        switch value {
        case .secret: .string(Redactor.mark)
        case .url(let url): .string(redactor.redact(URLRedaction.redact(url)))
        case .shown(let value): redacted(value)
        }
    }

    private func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: value
        case .number(let number): redactor.redact(number.text) == number.text ? value : .string(Redactor.mark)
        case .string(let text): .string(redactor.redact(text))
        case .array(let elements): .array(elements.map(redacted))
        case .object(let object):
            .object(JSONObject(object.members.map { (redactor.redact($0.key), redacted($0.value)) }))
        }
    }

    // MARK: People

    private func human(_ event: LogEvent, _ fields: LogFields, isCut: Bool, colour: Bool) -> [UInt8] {
        let paint = { (code: String, text: String) in colour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
        let level = event.level.rawValue.uppercased()
        let time = event.time.rfc3339.dropFirst(11).dropLast()
        var line = paint("2", String(time)) + " " + paint(code(event.level), level)
        line += String(repeating: " ", count: 8 - level.count)
        line += paint("1", harmless(event.name)) + "  " + harmless(event.message)
        if let id = event.requestID { line += "  " + paint("2", "request_id=\(harmless(id))") }
        for (name, field) in zip(ownNames(fields), fields.list) {
            let value = shown(field.value)
            line += "  " + paint("2", harmless(name) + "=")
            line += harmless(value.string ?? value.encodedText)
        }
        if isCut { line += "  …" }
        return Array(line.utf8) + [0x0A]
    }

    private func code(_ level: LogLevel) -> String {
        switch level {
        case .debug: "2"
        case .info: "32"
        case .warning: "33"
        case .error: "31"
        }
    }

    /// Without secrets, line breaks and what a terminal would obey or turn around.
    private func harmless(_ text: String) -> String {
        let text = redactor.redact(text)
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}

/// C0, DEL, C1, line separators and the marks that reverse the direction of text.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
}

/// At most `limit` bytes of `text`, whole characters.
private func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end > text.startIndex, String.Index(end, within: text.unicodeScalars) == nil {
        end = text.utf8.index(before: end)
    }
    return text[..<end] + "…"
}

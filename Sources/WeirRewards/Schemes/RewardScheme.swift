/// How one network signs, words and repeats its reward callbacks: data, not code.
///
/// `admob` is the one scheme with a signature of its own; every other is a digest over some of the parameters and a
/// shared secret, declared as JSON (``BuiltInSchemes``, or the configuration's `rewards.schemes`).
package struct RewardScheme: Sendable, Hashable {
    /// What a parameter means; further names may be used in the signed text.
    package enum Role: String, CaseIterable, Sendable {
        /// What the network calls this reward; unique in the network.
        case transaction
        case user
        case customData = "custom_data"
        case adUnit = "ad_unit"
        case item
        case amount
        case timestamp
    }

    /// How a callback is signed.
    package enum Signing: Sendable, Hashable {
        /// ECDSA with AdMob's published keys, over the whole query.
        case admob
        /// A digest with a shared secret.
        case digest(DigestRule)
    }

    /// What one verdict is answered with.
    package struct Reply: Sendable, Hashable {
        /// The status.
        package var status: Int
        /// The body; `{name}` stands for a field.
        package var body: String

        /// A reply.
        package init(status: Int, body: String = "") {
            self.status = status
            self.body = body
        }

        /// The body for a callback with these values.
        package func body(_ value: (String) -> String?) -> String {
            TextTemplate(body).fill { value($0.name) ?? "" }
        }
    }

    /// Its name in the configuration.
    package var id: String
    /// The parameter that carries each field.
    package var parameters: [String: String]
    /// How it is signed.
    package var signing: Signing
    /// Whether `+` means a blank.
    package var plusIsBlank = false
    /// Whether the timestamp counts from 1970, so that it can be judged.
    package var hasEpochTimestamp = false
    /// The transaction of the network's console test, which grants nothing.
    package var testTransaction: String?
    /// The answer to what was accepted.
    package var accepted = Reply(status: 200)
    /// The answer to what was accepted before.
    package var duplicate = Reply(status: 200)
    /// The answer to what is refused for ever.
    package var refused = Reply(status: 403)
    /// How the network repeats what was not accepted, for people.
    package var retries = ""

    /// A scheme with the usual replies.
    package init(id: String, parameters: [String: String], signing: Signing) {
        self.id = id
        self.parameters = parameters
        self.signing = signing
    }

    /// The parameter that carries `role`.
    package func parameter(_ role: Role) -> String? { parameters[role.rawValue] }

    /// Whether the signature protects the field, so that the callback's word on it counts.
    package func covers(_ role: Role) -> Bool {
        guard let parameter = parameters[role.rawValue] else { return false }
        switch signing {
        case .admob: return true
        case .digest(let rule):
            switch rule.text {
            case .sorted(_, _): return parameter != rule.parameter
            case .template(let template): return template.names.contains { $0 == role.rawValue || $0 == parameter }
            }
        }
    }
}

/// A digest over parameters and a shared secret.
package struct DigestRule: Sendable, Hashable {
    /// What the digest is made of.
    package enum Text: Sendable, Hashable {
        /// Fields, parameters, the secret and what stands between them.
        case template(TextTemplate)
        /// All parameters but the digest, sorted by name: `name=value` or the values alone, with `join` between them.
        case sorted(namesToo: Bool, join: String)
    }

    /// The parameter that carries it.
    package var parameter: String
    /// The algorithm.
    package var digest: Digest
    /// What it is made of.
    package var text: Text
}

/// A text with `{name}` in it: a field, a parameter or `secret`; `{name?}` may be missing.
package struct TextTemplate: Sendable, Hashable {
    /// One name in braces.
    package struct Name: Sendable, Hashable {
        /// The name.
        package var name: String
        /// Whether nothing stands in for it when it is missing.
        package var isOptional: Bool
    }

    private enum Piece: Sendable, Hashable {
        case text(String)
        case name(Name)
    }

    private var pieces: [Piece] = []

    /// Reads a template; braces around anything but a name stand for themselves, so that a body may be JSON.
    package init(_ text: String) {
        var rest = text[...]
        var plain = ""
        while let brace = rest.firstIndex(of: "{") {
            plain += rest[..<brace]
            rest = rest[rest.index(after: brace)...]
            let inside = rest.prefix { $0 != "}" }
            let name = inside.hasSuffix("?") ? inside.dropLast() : inside
            let isName =
                !name.isEmpty && inside.endIndex < rest.endIndex
                && name.utf8.allSatisfy { $0 == 0x2D || $0 == 0x5F || isAlphanumeric($0) }
            guard isName else {
                plain += "{"
                continue
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(.name(Name(name: String(name), isOptional: inside.hasSuffix("?"))))
            rest = rest[inside.endIndex...].dropFirst()
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
    }

    /// The names in it.
    package var names: [String] {
        pieces.compactMap { piece in
            if case .name(let name) = piece { name.name } else { nil }
        }
    }

    /// The text with each name replaced.
    package func fill<Failure: Error>(_ value: (Name) throws(Failure) -> String) throws(Failure) -> String {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let plain): text += plain
            case .name(let name): text += try value(name)
            }
        }
        return text
    }
}

private func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: false
    }
}

package import WeirTime

/// What an authentic callback says.
package struct VerifiedCallback: Sendable, Hashable {
    /// The network's id of this reward.
    package var transaction: String
    /// The user, as far as the signature covers it.
    package var user: String?
    /// The custom data; see ``coversCustomData``.
    package var customData: String?
    /// The network's ad unit, as far as the signature covers it.
    package var adUnit: String?
    /// The item, as far as the signature covers it.
    package var item: String?
    /// The amount, as far as the signature covers it.
    package var amount: String?
    /// When the network says that it happened, as far as the signature covers it and it can be read.
    package var timestamp: WallTime?
    /// Whether the signature covers the custom data.
    package var coversCustomData: Bool
    /// Whether it is the test of the network's console.
    package var isTest: Bool
    /// The SHA-256 of what must be the same in every repeat of one transaction.
    package var contentDigest: String
}

/// Judges the callbacks of one source: a scheme with its secret or keys, and the publisher's names of parameters.
package struct SchemeVerifier: Sendable, Hashable {
    /// The scheme, with the publisher's own names of parameters put in.
    package let scheme: RewardScheme
    private let secret: [UInt8]

    /// A verifier.
    ///
    /// - Parameters:
    ///   - scheme: How the network signs.
    ///   - secret: What is shared with it; AdMob has none.
    ///   - names: The publisher's own names of parameters, by field.
    package init(_ scheme: RewardScheme, secret: String = "", names: [String: String] = [:]) {
        var scheme = scheme
        if let own = names["signature"], case .digest(var rule) = scheme.signing {
            rule.parameter = own
            scheme.signing = .digest(rule)
        }
        scheme.parameters.merge(names.filter { $0.key != "signature" }) { $1 }
        self.scheme = scheme
        self.secret = Array(secret.utf8)
    }

    /// Believes a callback whose signature is a digest, or throws why not.
    package func verify(_ raw: [UInt8]) throws(CallbackFault) -> VerifiedCallback {
        guard raw.count <= SignedQuery.limit else {
            throw CallbackFault(.tooLarge, "the callback has \(raw.count) bytes, more than \(SignedQuery.limit)")
        }
        guard case .digest(let rule) = scheme.signing else {
            throw CallbackFault(.badForm, "this scheme needs keys")
        }
        let fields = try CallbackFields(raw, plusIsBlank: scheme.plusIsBlank)
        guard let given = fields[rule.parameter], !given.isEmpty else {
            throw CallbackFault(.badForm, "the parameter \(rule.parameter) is missing")
        }
        let digest = rule.digest.of(Array(try text(rule, fields).utf8), key: secret)
        guard !digest.isEmpty, let bytes = bytes(ofHex: given) else {
            throw CallbackFault(.badSignatureForm, "\(rule.parameter) is not hexadecimal")
        }
        guard bytes.equalsInConstantTime(digest) else {
            throw CallbackFault(.badSignature, "\(rule.parameter) does not fit the signed text and the secret")
        }
        return try callback(fields)
    }

    /// What AdMob's parts say; their signature has been checked.
    package func callback(_ fields: CallbackFields) throws(CallbackFault) -> VerifiedCallback {
        func value(_ role: RewardScheme.Role) -> String? { scheme.parameter(role).flatMap { fields[$0] } }
        func covered(_ role: RewardScheme.Role) -> String? { scheme.covers(role) ? value(role) : nil }
        guard let transaction = value(.transaction), (1...256).contains(transaction.utf8.count) else {
            throw CallbackFault(.badParameter, "the transaction is missing, empty or longer than 256 bytes")
        }
        let same: [RewardScheme.Role] = [.user, .customData, .adUnit, .item, .amount]
        let content = same.map { covered($0).map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
        return VerifiedCallback(
            transaction: transaction,
            user: covered(.user),
            customData: value(.customData),
            adUnit: covered(.adUnit),
            item: covered(.item),
            amount: covered(.amount),
            timestamp: scheme.hasEpochTimestamp ? covered(.timestamp).flatMap(WallTime.init(epochText:)) : nil,
            coversCustomData: scheme.covers(.customData),
            isTest: scheme.testTransaction == transaction,
            contentDigest: hexText(Digest.sha256(Array(content.utf8)))
        )
    }

    private func text(_ rule: DigestRule, _ fields: CallbackFields) throws(CallbackFault) -> String {
        switch rule.text {
        case .sorted(let namesToo, let join):
            let others = fields.fields.filter { $0.name != rule.parameter }
            let sorted = others.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            return sorted.map { namesToo ? "\($0.name)=\($0.value)" : $0.value }.joined(separator: join)
        case .template(let template):
            return try template.fill { (name) throws(CallbackFault) in
                if name.name == "secret" { return String(decoding: secret, as: UTF8.self) }
                if let value = fields[scheme.parameters[name.name] ?? name.name] { return value }
                guard name.isOptional else {
                    throw CallbackFault(.badParameter, "the parameter of \(name.name) is missing")
                }
                return ""
            }
        }
    }

    private func bytes(ofHex text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0, digits.count <= 128 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension WallTime {
    /// Reads a count from 1970: seconds, milliseconds or microseconds by its magnitude (AdMob's documentation shows 16
    /// digits, its callbacks have 13).
    init?(epochText text: String) {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(text)
        else { return nil }
        switch number {
        case ..<100_000_000_000: self.init(milliseconds: number * 1000)
        case ..<100_000_000_000_000: self.init(milliseconds: number)
        default: self.init(milliseconds: number / 1000)
        }
    }
}

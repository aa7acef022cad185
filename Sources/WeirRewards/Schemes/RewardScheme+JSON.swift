package import WeirJSON

/// Why a declared scheme cannot be used.
package struct SchemeError: Error, Sendable, Hashable {
    /// The member at fault, such as `signature.text`.
    package var path: String
    /// One sentence.
    package var reason: String
}

extension RewardScheme {
    /// Reads a declared scheme.
    ///
    /// - Throws: ``SchemeError`` with the first member that is wrong.
    package init(json: JSONValue) throws(SchemeError) {
        guard let id = json["id"]?.string, !id.isEmpty else {
            throw SchemeError(path: "id", reason: "A scheme needs an id.")
        }
        var parameters: [String: String] = [:]
        for member in json["fields"]?.object?.members ?? [] {
            guard let parameter = member.value.string, !parameter.isEmpty else {
                throw SchemeError(path: "fields.\(member.key)", reason: "A field names the parameter that carries it.")
            }
            parameters[member.key] = parameter
        }
        guard parameters[Role.transaction.rawValue] != nil else {
            throw SchemeError(path: "fields.transaction", reason: "A scheme needs the parameter of the transaction.")
        }
        self.init(id: id, parameters: parameters, signing: .digest(try DigestRule(json: json["signature"] ?? .null)))
        plusIsBlank = json["plus_is_blank"]?.bool ?? false
        hasEpochTimestamp = json["epoch_timestamp"]?.bool ?? false
        testTransaction = json["test_transaction"]?.string
        retries = json["retries"]?.string ?? ""
        let replies = json["replies"] ?? .null
        accepted = try Self.reply(replies["accepted"], "accepted") ?? accepted
        duplicate = try Self.reply(replies["duplicate"], "duplicate") ?? accepted
        refused = try Self.reply(replies["refused"], "refused") ?? refused
        guard covers(.transaction) else {
            throw SchemeError(
                path: "signature.text",
                reason: "The signature must cover the transaction, or anybody could repeat a reward."
            )
        }
    }

    private static func reply(_ json: JSONValue?, _ name: String) throws(SchemeError) -> Reply? {
        guard let json else { return nil }
        guard let status = json["status"]?.int, (200...499).contains(status) else {
            throw SchemeError(path: "replies.\(name).status", reason: "A reply's status is from 200 to 499.")
        }
        return Reply(status: status, body: json["body"]?.string ?? "")
    }
}

extension DigestRule {
    /// Reads the `signature` of a declared scheme.
    fileprivate init(json: JSONValue) throws(SchemeError) {
        guard let parameter = json["parameter"]?.string, !parameter.isEmpty else {
            throw SchemeError(path: "signature.parameter", reason: "The parameter that carries the digest is missing.")
        }
        guard let digest = json["digest"]?.string.flatMap(Digest.init) else {
            let known = Digest.allCases.map(\.rawValue).joined(separator: ", ")
            throw SchemeError(path: "signature.digest", reason: "The digest is one of \(known).")
        }
        self.parameter = parameter
        self.digest = digest
        if let sorted = json["sorted"]?.string {
            guard ["name=value", "value"].contains(sorted) else {
                throw SchemeError(path: "signature.sorted", reason: "It is `name=value` or `value`.")
            }
            guard digest.isKeyed else {
                throw SchemeError(path: "signature.digest", reason: "A sorted text needs a digest with a key.")
            }
            text = .sorted(namesToo: sorted == "name=value", join: json["join"]?.string ?? "")
        } else {
            let template = TextTemplate(json["text"]?.string ?? "")
            guard digest.isKeyed || template.names.contains("secret") else {
                throw SchemeError(path: "signature.text", reason: "Without {secret} in it anybody could sign.")
            }
            text = .template(template)
        }
    }
}

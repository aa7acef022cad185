internal import WeirJSON

extension JSONField {
    /// A language as ISO 639-1 has it, of what browsers and phones report: `de` of `de-DE` and of `DE_at`.
    func language(_ name: String) -> String? {
        guard let text = optionalString(name, maxBytes: AdRequestReader.Limit.text) else { return nil }
        let language = text.prefix { $0 != "-" && $0 != "_" }.lowercased()
        guard (2...3).contains(language.utf8.count), language.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            if !text.isEmpty { complain(about: name, "must begin with the two letters of a language, such as \"de\"") }
            return nil
        }
        return language
    }

    /// A country as ISO 3166-1 has it, two capital letters.
    func country(_ name: String) -> String? {
        guard let text = optionalString(name, maxBytes: AdRequestReader.Limit.text)?.uppercased() else { return nil }
        guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            if !text.isEmpty { complain(about: name, "must be the two letters of a country, such as \"DE\"") }
            return nil
        }
        return text
    }
}

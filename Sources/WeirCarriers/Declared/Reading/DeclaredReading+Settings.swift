internal import WeirJSON

extension DeclaredReading {
    /// The settings that the file asks its operator for.
    func readSettings() -> [DeclaredSetting] {
        guard let declared = root.member("settings") else { return [] }
        return (declared.value.object?.members ?? []).map { member in
            setting(member.key, JSONField(member.value, path: declared.path.key(member.key), problems: root.problems))
        }
    }

    private func setting(_ name: String, _ field: JSONField) -> DeclaredSetting {
        var setting = DeclaredSetting(name: name)
        if !Self.isSettingName(name) {
            field.complain(
                "is no name that a template can use.",
                hint: "Write small letters, digits and _, a letter first, at most 40."
            )
        }
        setting.kind = field.value["type"]?.string.flatMap(DeclaredSetting.Kind.init) ?? .text
        setting.isRequired = field.value["required"]?.bool ?? false
        setting.isSecret = field.value["secret"]?.bool ?? false
        setting.choices = field.value["one_of"]?.array ?? []
        for (index, choice) in setting.choices.enumerated() {
            if let wrong = DeclaredSetting(name: name, kind: setting.kind).complaint(about: choice) {
                field.member("one_of").map {
                    JSONField(choice, path: $0.path.index(index), problems: root.problems).complain("\(wrong).")
                }
            }
        }
        guard let fallback = field.member("default") else { return setting }
        if setting.isSecret {
            fallback.complain("must not be given: a secret never stands in a file.", hint: "Make it required.")
        } else if setting.isRequired {
            fallback.complain("is never used: the setting is required.", hint: "Leave one of the two out.")
        } else if let wrong = setting.complaint(about: fallback.value) {
            fallback.complain("\(wrong).")
        }
        setting.fallback = fallback.value
        return setting
    }

    private static func isSettingName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            name.utf8.count <= 40
        else { return false }
        return name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "_")
        }
    }
}

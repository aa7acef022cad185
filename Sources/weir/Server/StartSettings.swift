internal import WeirConfig
internal import WeirJSON

/// What a process reads at its start only: a reload takes the rest over, and says what of this waits for a restart.
enum StartSettings {
    private static let sections = ["initialization", "server", "storage"]

    /// The keys in which `wanted` differs from the configuration that the process started with, such as `server.listen`.
    static func waiting(_ wanted: WeirConfiguration, since started: WeirConfiguration) -> [String] {
        var keys = sections.flatMap { section in
            let (before, after) = (started.redacted[section]?.object, wanted.redacted[section]?.object)
            let names = Set((before?.members ?? []).map(\.key) + (after?.members ?? []).map(\.key))
            return names.filter { before?[$0] != after?[$0] }.map { "\(section).\($0)" }
        }
        // Without secrets two keys look the same.
        if wanted.server.adminKey != started.server.adminKey { keys.append("server.admin_key") }
        return Set(keys).sorted()
    }
}

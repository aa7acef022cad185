import WeirAdapterKit
import WeirConfig
import WeirJSON
import WeirModel

/// Files of the project, and adapters that only know their settings' names.
enum Fixtures {
    /// The project's own directory.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    static func bytes(_ path: String) throws -> [UInt8] {
        try SystemFiles.read("\(root)/\(path)", ConfigurationLimits.fileBytes)
    }

    static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    static let factories = [
        factory("vast", ["tag_url", "probe_url", "headers"], [.video], url: "tag_url"),
        factory("rewarded", ["load_url", "probe_url", "headers", "api_key"], [.rewarded], url: "load_url"),
        factory("instream-audio", ["sections_url", "probe_url", "headers"], [.audio], url: "sections_url"),
    ]

    /// One more, which only examples of the docs need.
    static let bidding = factory("openrtb", ["endpoint", "headers"], Set(AdFormat.allCases), url: "endpoint")

    static let environment = [
        "WEIR_ADMIN_KEY": "admin-key-text", "REWARDCO_KEY": "rewardco-key-text", "SHORT": "abc", "EMPTY": "",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
    ]

    static func reader(
        files: [String: String] = [:],
        environment: [String: String] = environment,
        factories: [AdapterFactory] = factories
    ) -> ConfigurationReader {
        ConfigurationReader(
            factories: factories,
            environment: { environment[$0] },
            readFile: { path, _ in
                guard let text = files[path] else { throw SystemFiles.Problem(description: "No such file") }
                return Array(text.utf8)
            },
            isExecutable: { ["/usr/bin/python3", "folder/adapters/acme"].contains($0) }
        )
    }

    private static func factory(
        _ kind: String,
        _ settings: [String],
        _ formats: Set<AdFormat>,
        url: String
    ) -> AdapterFactory {
        let descriptor = AdapterDescriptor(kind: kind, version: "1.0.0", formats: formats)
        return AdapterFactory(descriptor: descriptor, settings: settings) {
            settings,
            _ throws(SettingsError) -> any NetworkAdapter in
            guard let text = settings[url]?.string else {
                throw SettingsError(path: "settings.\(url)", message: "is required")
            }
            try check(text, "settings.\(url)")
            for member in settings["headers"]?.object?.members ?? [] {
                try check(member.value.string ?? "", "settings.headers[\"\(member.key)\"]")
            }
            return SilentAdapter(descriptor: descriptor)
        }
    }

    private static func check(_ template: String, _ path: String) throws(SettingsError) {
        do throws(RequestTemplate.BadField) {
            _ = try RequestTemplate(template)
        } catch {
            throw SettingsError(path: path, message: "There is no template field {\(error.name)} in \(template)")
        }
    }
}

private struct SilentAdapter: NetworkAdapter {
    let descriptor: AdapterDescriptor

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        .noFill(NoFill(.noAd, "Never has anything."))
    }
}

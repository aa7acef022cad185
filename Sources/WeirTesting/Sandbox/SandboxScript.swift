/// What the paths of a sandbox answer.
///
/// A path that ends with `*` stands for everything that begins like it; of several the longest wins, and an exact path
/// wins over all.
public struct SandboxScript: Sendable {
    /// The paths, each beginning with `/`.
    public var paths: [String: SandboxPath]

    /// A script of these paths.
    public init(paths: [String: SandboxPath] = [:]) {
        self.paths = paths
    }

    /// A script of answers that do not change.
    public init(_ replies: [String: SandboxReply]) {
        paths = replies.mapValues { SandboxPath($0) }
    }

    /// The same script with another's paths on top.
    public func overlaid(with other: SandboxScript) -> SandboxScript {
        SandboxScript(paths: paths.merging(other.paths) { _, new in new })
    }

    /// The path among `keys` that answers for a path of a request.
    static func key(for path: String, in keys: some Collection<String>) -> String? {
        keys.filter { $0.hasSuffix("*") && path.hasPrefix($0.dropLast()) }.max { $0.utf8.count < $1.utf8.count }
    }
}

/// The words between the gateway and an adapter that runs as a process of its own.
///
/// docs/adapter-protocol.md says what each message means, docs/adapter-protocol.schema.json what it looks like.
public enum AdapterProtocol {
    /// The version that is spoken here.
    public static let version = 1

    /// The longest message in either direction unless configured otherwise, in bytes.
    public static let frameBytes = 4 << 20

    /// The most requests that one answer may want sent.
    public static let requestCount = 4

    /// The most header fields of one request.
    public static let headerCount = 64

    /// The most offers of one answer.
    public static let offerCount = 50

    /// The longest name, id or sentence that is taken over, in bytes.
    public static let textBytes = 2048

    /// The longest address that is taken over, in bytes.
    public static let addressBytes = 16_384
}

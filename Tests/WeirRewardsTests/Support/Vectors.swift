import Glibc
import Testing
import WeirJSON
import WeirRewards

/// Signed callbacks with the right verdict, outside of the repository.
enum Vectors {
    struct SSV: Sendable, CustomTestStringConvertible {
        var id: String
        var query: String
        var keys: VerifierKeys
        var isValid: Bool
        var testDescription: String { id }
    }

    static let root: String? = {
        let given = getenv("WEIR_SHARED").map { String(cString: $0) }
        let path = given ?? String(#filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()) + "/../shared"
        return access(path + "/data/ssv-vectors.json", R_OK) == 0 ? path : nil
    }()

    static let ssv: [SSV] = {
        guard let document = document("ssv-vectors.json") else { return [] }
        return (document["vectors"]?.array ?? []).compactMap { vector in
            guard let id = vector["id"]?.string, let url = vector["url"]?.string, let isValid = vector["valid"]?.bool,
                let entry = vector["key"]?.string.flatMap({ document["keys"]?[$0] }), let base64 = entry["base64"]
            else { return nil }
            // One key alone, under the id that the vector names.
            let set: JSONValue = ["keys": [["keyId": vector["keyId"] ?? .null, "base64": base64]]]
            return SSV(
                id: id,
                query: url.firstIndex(of: "?").map { String(url[url.index(after: $0)...]) } ?? "",
                keys: VerifierKeys(json: set.encoded()) ?? VerifierKeys(),
                isValid: isValid
            )
        }
    }()

    static let networks: [JSONValue] = document("s2s-network-vectors.json")?["vectors"]?.array ?? []

    private static func document(_ name: String) -> JSONValue? {
        guard let root, let file = fopen(root + "/data/" + name, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return try? JSONReader.read(bytes)
    }
}

import Glibc
import WeirStore
import WeirTime

/// A directory of its own for one test, gone with it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        let made = "/tmp/weir-store-XXXXXX".withCString { template -> String? in
            guard let copy = strdup(template) else { return nil }
            defer { free(copy) }
            return mkdtemp(copy).map { String(cString: $0) }
        }
        guard let made else { throw StoreError(.notWritable, "no temporary directory") }
        path = made
    }

    deinit { removeTree(path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ bytes: [UInt8], to name: String) throws {
        guard let file = fopen(file(name), "w") else { throw StoreError(.failed, "cannot write \(name)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    func read(_ name: String) throws -> [UInt8] {
        guard let file = fopen(file(name), "r") else { throw StoreError(.failed, "cannot read \(name)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
        return bytes
    }
}

private func removeTree(_ path: String) {
    if let directory = opendir(path) {
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { removeTree(path + "/" + name) }
        }
        closedir(directory)
    }
    remove(path)
}

/// Remembers what a store has to tell.
final class Notices: Sendable {
    private let received = Lock<[StoreNotice]>([])

    var list: [StoreNotice] { received.withLock { $0 } }

    var receive: @Sendable (StoreNotice) -> Void {
        { notice in self.received.withLock { $0.append(notice) } }
    }
}

/// A small decision on request `number`.
func decision(
    _ number: Int,
    placement: String = "preroll",
    result: String = "fill",
    network: String? = "gam",
    body: String = "{\"result\":\"fill\"}"
) -> DecisionRecord {
    DecisionRecord(
        requestID: "r\(number)",
        at: WallTime(milliseconds: 1_767_225_600_000 + Int64(number)),
        placement: placement,
        adUnit: "unit",
        format: "video",
        result: result,
        network: network,
        lineItem: network.map { $0 + "-high" },
        latencyMilliseconds: 42,
        config: "b3f1c2",
        body: Array(body.utf8)
    )
}

extension DecisionStore {
    /// Waits, for a long time if need be, until everything is written.
    func flushed() async -> Bool {
        await flush(until: .after(.seconds(20), clock: SystemClock()), clock: SystemClock())
    }
}

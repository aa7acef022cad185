/// Fields kept behind one reference and copied when they are changed: passing a request on costs one count, not forty.
///
/// `@unchecked Sendable`: `Storage` is written to only by its one owner, which `isKnownUniquelyReferenced` proves.
struct Shared<Fields: Sendable & Hashable>: Hashable, @unchecked Sendable {
    private final class Storage {
        let fields: UnsafeMutablePointer<Fields>

        init(_ fields: Fields) {
            self.fields = .allocate(capacity: 1)
            self.fields.initialize(to: fields)
        }

        deinit {
            fields.deinitialize(count: 1)
            fields.deallocate()
        }
    }

    private var storage: Storage

    init(_ fields: Fields) {
        storage = Storage(fields)
    }

    /// The fields; changing one leaves other copies as they are.
    var fields: Fields {
        _read { yield storage.fields.pointee }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields.pointee) }
            yield &storage.fields.pointee
        }
    }

    static func == (left: Shared, right: Shared) -> Bool {
        left.storage === right.storage || left.fields == right.fields
    }

    func hash(into hasher: inout Hasher) { fields.hash(into: &hasher) }
}

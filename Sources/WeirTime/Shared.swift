/// Fields kept behind one reference and copied when they are changed: passing a request or an ad on costs one count, not
/// forty.
///
/// `@unchecked Sendable`: `Storage` is written to only by its one owner, which `isKnownUniquelyReferenced` proves.
@usableFromInline
package struct Shared<Fields: Sendable & Hashable>: Hashable, @unchecked Sendable {
    @usableFromInline
    final class Storage {
        @usableFromInline let fields: UnsafeMutablePointer<Fields>

        @inlinable
        init(_ fields: Fields) {
            self.fields = .allocate(capacity: 1)
            self.fields.initialize(to: fields)
        }

        deinit {
            fields.deinitialize(count: 1)
            fields.deallocate()
        }
    }

    @usableFromInline var storage: Storage

    /// Keeps `fields`.
    @inlinable
    package init(_ fields: Fields) {
        storage = Storage(fields)
    }

    /// The fields; changing one leaves other copies as they are.
    @inlinable package var fields: Fields {
        _read { yield storage.fields.pointee }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields.pointee) }
            yield &storage.fields.pointee
        }
    }

    /// The same storage, or equal fields.
    @inlinable
    package static func == (left: Shared, right: Shared) -> Bool {
        left.storage === right.storage || left.fields == right.fields
    }

    /// The fields' hash.
    @inlinable
    package func hash(into hasher: inout Hasher) { fields.hash(into: &hasher) }
}

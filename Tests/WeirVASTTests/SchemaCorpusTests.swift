import Testing

@testable import WeirVAST

/// What is written is valid where what was read is, by the published schemas.
@Suite("Schemas and the corpus", .enabled(if: Corpus.root != nil, "The shared documents are not here."))
struct SchemaCorpusTests {
    @Test("the schemas' verdicts are those of the index", arguments: Corpus.entries)
    func verdicts(entry: Corpus.Entry) throws {
        guard let verdict = entry.isSchemaValid, let schema = Self.schema(of: entry) else { return }
        // A document whose only fault is that it forgot the namespace is one of the two that the index marks so.
        let remarks = schema.validate(Corpus.bytes(entry))
        let isAddedIn43 = entry.version == "4.3" && !verdict && remarks.isEmpty
        #expect(remarks.isEmpty == verdict || isAddedIn43, "\(remarks.map(\.message))")
    }

    @Test("a document that its schema accepts is accepted again after writing", arguments: Corpus.entries)
    func writing(entry: Corpus.Entry) throws {
        guard entry.isSchemaValid == true else { return }
        let schema = try #require(Self.schema(of: entry))
        let reading = VASTReader.read(Corpus.bytes(entry))
        let output =
            if let schedule = reading.vmap {
                VASTWriter.write(schedule).bytes
            } else {
                VASTWriter.write(try #require(reading.vast)).bytes
            }
        let messages = schema.validate(output).map(\.message)
        #expect(messages.isEmpty, "\(messages) in \(String(decoding: output, as: UTF8.self))")
    }

    @Test("converted down, from any version to 3.0 and on to 2.0, it stays valid", arguments: Corpus.entries)
    func downwards(entry: Corpus.Entry) throws {
        guard entry.kind == "vast", entry.isSchemaValid == true else { return }
        var document = try #require(VASTReader.read(Corpus.bytes(entry)).vast)
        for version in [VASTVersion.v3, .v2] {
            let output = VASTWriter.convert(document, to: version).bytes
            let messages = try #require(Schemas.schema(version)).validate(output).map(\.message)
            #expect(messages.isEmpty, "\(version) \(messages) in \(String(decoding: output, as: UTF8.self))")
            document = try #require(VASTReader.read(output).vast)
        }
    }

    @Test("converted to every version it stays valid", arguments: Corpus.entries)
    func everyVersion(entry: Corpus.Entry) throws {
        guard entry.kind == "vast", entry.isSchemaValid == true else { return }
        let document = try #require(VASTReader.read(Corpus.bytes(entry)).vast)
        for version in VASTVersion.allCases {
            let output = VASTWriter.convert(document, to: version).bytes
            var messages = try #require(Schemas.schema(version)).validate(output).map(\.message)
            // docs/vast-corpus.md: the schema of 4.0 forgot the attributes of NonLinear.
            if version == .v4 { messages.removeAll { $0.hasPrefix("<NonLinear> may not have the attribute") } }
            #expect(messages.isEmpty, "\(version) \(messages) in \(String(decoding: output, as: UTF8.self))")
        }
    }

    @Test("a document that uses everything of 4.3 is valid, and so is what it is converted to, step by step down")
    func everything() throws {
        let bytes = FixtureTests.bytes("everything-4.3.xml")
        func faults(_ version: VASTVersion, _ bytes: [UInt8]) throws -> [String] {
            try #require(Schemas.schema(version)).validate(bytes).map(\.message).filter { message in
                // Macros are no URL characters; extensions may have text and attributes, whatever the schemas say.
                !message.contains("[") && !message.contains("Extension> may")
                    && !(version == .v4 && message.hasPrefix("<NonLinear> may not have the attribute"))
            }
        }
        #expect(try faults(.v43, bytes) == [])
        var document = try #require(VASTReader.read(bytes).vast)
        for version in VASTVersion.allCases.reversed() {
            let output = VASTWriter.convert(document, to: version)
            #expect(try faults(version, output.bytes) == [], "\(version)")
            #expect(output.remarks.isEmpty == (version == .v43))
            document = try #require(VASTReader.read(output.bytes).vast)
        }
    }

    @Test("with trackers and companions injected it stays valid, and has them", arguments: Corpus.entries)
    func injection(entry: Corpus.Entry) throws {
        guard entry.kind == "vast", entry.isSchemaValid == true, let schema = Self.schema(of: entry) else { return }
        var companion = Companion()
        (companion.width, companion.height) = (300, 250)
        companion.resources = [DisplayResource(kind: .iFrame, value: "https://weir.example/?a=1&b='2'")]
        let additions = Additions(
            impressions: [TrackedURL(url: "https://weir.example/i?a=1&b='2'")],
            trackingEvents: [TrackingEvent(event: .midpoint, url: "https://weir.example/m?a&b")],
            clickTracking: [TrackedURL(url: "https://weir.example/c")],
            // The schemas before 4.0 have room for one error URL only.
            errors: entry.version < "4" ? [] : ["https://weir.example/e"],
            companions: [companion]
        )
        let output = VASTInjector.inject(additions, into: Corpus.bytes(entry))
        #expect(output.failure == nil)
        let messages = schema.validate(output.bytes).map(\.message)
        #expect(messages.isEmpty, "\(messages) in \(String(decoding: output.bytes, as: UTF8.self))")
        let before = try #require(VASTReader.read(Corpus.bytes(entry)).vast)
        let after = try #require(VASTReader.read(output.bytes).vast)
        for (old, new) in zip(before.ads, after.ads) {
            guard let old = old.inLine, let new = new.inLine else { continue }
            #expect(new.impressions == old.impressions + additions.impressions)
            #expect(new.creatives.last?.companionAds?.companions.map(\.resources) == [companion.resources])
        }
    }

    private static func schema(of entry: Corpus.Entry) -> VASTSchema? {
        entry.kind == "vmap" ? Schemas.vmap : VASTVersion(entry.version).flatMap(Schemas.schema)
    }
}

import Testing
import WeirJSON
import WeirModel

@testable import WeirConfig

@Suite("The JSON Schema for editors")
struct SchemaTests {
    private let schema: JSONValue

    init() throws {
        if Recording.isOn {
            try Recording.write(ConfigurationSchema.text, to: "config/weir.schema.json")
            try Recording.write(ConfigurationSchema.networkFileText, to: "config/network.schema.json")
        }
        schema = try JSONReader.read(try Fixtures.bytes("config/weir.schema.json"))
    }

    @Test("is the one that the tables make")
    func isCurrent() throws {
        #expect(try Fixtures.text("config/weir.schema.json") == ConfigurationSchema.text)
        #expect(try Fixtures.text("config/network.schema.json") == ConfigurationSchema.networkFileText)
        #expect(!Recording.isOn, "The schema was recorded; run again without WEIR_RECORD.")
    }

    @Test(
        "knows exactly the reader's keys, required ones and words",
        arguments: (Shapes.all + Shapes.networkFiles).map(\.name)
    )
    func agrees(_ name: String) throws {
        let shape = try #require((Shapes.all + Shapes.networkFiles).first { $0.name == name })
        let isOfNetworks = Shapes.networkFiles.contains { $0.name == name }
        let file = isOfNetworks ? try JSONReader.read(try Fixtures.bytes("config/network.schema.json")) : schema
        let isRoot = ["configuration", "network_file"].contains(name)
        let definition = try #require(isRoot ? file : file["$defs"]?[name])
        let properties = try #require(definition["properties"]?.object)
        #expect(properties.keys.sorted() == shape.keys.map(\.name).sorted())
        let required = definition["required"]?.array?.compactMap(\.string) ?? []
        #expect(required.sorted() == shape.keys.filter(\.isRequired).map(\.name).sorted())
        #expect(definition["additionalProperties"] == false)
        for key in shape.keys {
            let property = try #require(properties[key.name])
            #expect(property["description"]?.string?.isEmpty == false)
            #expect(property["title"]?.string?.hasSuffix(key.name) == true)
            compare(key.shape, property, "\(name).\(key.name)")
        }
    }

    private func compare(_ shape: ValueShape, _ property: JSONValue, _ where: String) {
        let words = property["enum"]?.array?.compactMap(\.string)
        switch shape {
        case .word(let known): #expect(words == known, "\(`where`)")
        case .adapterKind: #expect(words == Shapes.adapterKinds, "\(`where`)")
        case .object(let object): #expect(property["$ref"]?.string == "#/$defs/\(object.name)", "\(`where`)")
        case .list(let element, let count):
            #expect(property["minItems"]?.int == count.lowerBound, "\(`where`)")
            #expect(property["maxItems"]?.int == count.upperBound, "\(`where`)")
            compare(element, property["items"] ?? .null, `where`)
        case .whole(let range), .milliseconds(let range), .bytes(let range):
            #expect(property["minimum"]?.int == range.lowerBound, "\(`where`)")
            #expect(property["maximum"]?.int == range.upperBound, "\(`where`)")
        default: #expect(words == nil, "\(`where`)")
        }
    }

    @Test("defines nothing that the reader does not know")
    func noMore() throws {
        let definitions = try #require(schema["$defs"]?.object)
        #expect(Set(definitions.keys) == Set(Shapes.all.map(\.name)).subtracting(["configuration"]))
        let networks = try JSONReader.read(try Fixtures.bytes("config/network.schema.json"))["$defs"]?.object
        #expect(Set(try #require(networks).keys) == Set(Shapes.networkFiles.map(\.name)).subtracting(["network_file"]))
    }

    @Test("every object that the tables lead to is listed")
    func allListed() {
        var seen: Set<String> = []
        func walk(_ shape: ObjectShape) {
            guard seen.insert(shape.name).inserted else { return }
            for key in shape.keys { walk(key.shape) }
        }
        func walk(_ shape: ValueShape) {
            switch shape {
            case .object(let object): walk(object)
            case .list(let element, _), .map(let element), .oneOrMany(let element, _): walk(element)
            case .textOr(let object): walk(object)
            case .either(let first, _, let second):
                walk(first)
                walk(second)
            default: break
            }
        }
        walk(Shapes.root)
        #expect(seen == Set(Shapes.all.map(\.name)))
        seen = []
        walk(Shapes.networkFile)
        #expect(seen == Set(Shapes.networkFiles.map(\.name)))
    }

    @Test("its defaults are the ones that hold when a key is absent")
    func defaults() throws {
        let left = try #require(Fixtures.reader().read(text: whole(), file: "w.json").configuration)
        let filled = whole(
            networks: """
                {"id": "gam", "adapter": "vast", "settings": {"tag_url": "https://a.example"},
                \(defaults(of: Shapes.network, except: ["settings"])), "breaker": {\(defaults(of: Shapes.breaker))}}
                """,
            waterfall: #"{"id": "l", "network": "gam", "network_unit": "1", \#(defaults(of: Shapes.lineItem))}"#,
            unit: ", " + defaults(of: Shapes.adUnit, except: ["reward_mode"]),
            placements: #"{"id": "p", "ad_unit": "u", \#(defaults(of: Shapes.placement))}"#,
            more: """
                , "server": {\(defaults(of: Shapes.server))}, "initialization": {\(defaults(of: Shapes.initialization))},
                "storage": {\(defaults(of: Shapes.storage))}, "rewards": {\(defaults(of: Shapes.rewards))},
                "limits": {\(defaults(of: Shapes.limits))}, "environment": "development",
                \(defaults(of: Shapes.root, except: ["environment", "networks", "ad_units", "placements"]))
                """
        )
        let result = Fixtures.reader().read(text: filled, file: "w.json")
        let written = try #require(result.configuration, "\(result.report.text)")
        #expect(written.server == left.server)
        #expect(written.initialization == left.initialization)
        #expect(written.storageURL == left.storageURL)
        #expect(written.rewards == left.rewards)
        #expect(written.limits == left.limits)
        #expect(written.catalog.networks == left.catalog.networks)
        #expect(written.catalog.adUnits == left.catalog.adUnits)
        #expect(written.catalog.placements == left.catalog.placements)
        #expect(written.catalog.environment == left.catalog.environment)
        #expect(written.catalog.testUnits == left.catalog.testUnits)
        #expect(written.version != left.version)
    }

    private func defaults(of shape: ObjectShape, except: Set<String> = []) -> String {
        shape.keys.compactMap { key in
            guard !except.contains(key.name), case .value(let value) = key.fallback else { return nil }
            return "\"\(key.name)\": \(value.encodedText)"
        }
        .joined(separator: ", ")
    }
}

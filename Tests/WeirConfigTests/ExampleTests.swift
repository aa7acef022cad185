import Testing
import WeirConfig
import WeirJSON
import WeirModel

@Suite("The example configuration")
struct ExampleTests {
    private let result: ConfigurationReader.Result

    init() throws {
        result = Fixtures.reader().read(try Fixtures.bytes("config/weir.json"), file: "config/weir.json")
    }

    @Test("reads without a complaint")
    func reads() {
        #expect(result.report.text == "")
        #expect(result.configuration != nil)
    }

    @Test("fills every part of the configuration")
    func fills() throws {
        let configuration = try #require(result.configuration)
        #expect(configuration.server.listen == .tcp(host: "127.0.0.1", port: 8080))
        #expect(configuration.server.adminKey == "admin-key-text")
        #expect(configuration.server.workers == 2)
        #expect(configuration.storageURL == "sqlite:config/../var/weir.db")
        #expect(configuration.secrets.sorted() == ["admin-key-text", "rewardco-key-text"])
        #expect(configuration.networks.map(\.network.id.text) == ["gam", "rewardco", "audioco"])
        #expect(configuration.networks[0].network.maxInFlight == 500)
        #expect(configuration.networks[0].network.timeout == .milliseconds(800))
        #expect(configuration.networks[1].settings["api_key"]?.string == "rewardco-key-text")
        #expect(configuration.networks.allSatisfy { $0.problem == nil && !$0.hasUnknownAdapter })
        #expect(configuration.rewards.publisherCallbackURL == "https://game.example/rewards")
        #expect(configuration.catalog.version == configuration.version)
        #expect(configuration.catalog.testUnits.count == 2)
    }

    @Test("fills the catalogue's ad units and line items")
    func catalogue() throws {
        let catalog = try #require(result.configuration).catalog
        let preroll = try #require(catalog.adUnit("preroll"))
        #expect(preroll.floor?.micros == 500_000)
        #expect(preroll.lineItems.map(\.id.text) == ["gam-high", "gam-mid", "gam-low"])
        #expect(preroll.minDuration == .milliseconds(5000))
        guard case .group(let lines, let timeout) = preroll.waterfall[1] else {
            Issue.record("The second rung is no group.")
            return
        }
        #expect(lines.count == 2)
        #expect(timeout == .milliseconds(500))
        let high = preroll.lineItems[0]
        #expect(high.rate?.amount == "12.50")
        #expect(high.targeting?.countries == ["DE", "AT"])
        #expect(high.targeting?.keys == ["genre": ["drama", "comedy"]])
        #expect(high.cap == FrequencyCap(count: 3, window: .milliseconds(3_600_000)))
        #expect(high.pacing?.count == 1000)
        #expect(high.requiresConsent)
        let coins = try #require(catalog.adUnit("coins"))
        #expect(coins.reward == Reward(item: "coins", amount: ExactDecimal(10)))
        #expect(coins.rewardMode == .ssv)
        let radio = try #require(catalog.adUnit("radio"))
        #expect(radio.sections?.limits[.preroll]?.maxAds == 2)
        #expect(radio.sections?.limits.count == 4)
        #expect(catalog.placement("movie_preroll")?.entitlements == [.customUI])
        #expect(catalog.placement("movie_preroll")?.requiresHideableUI == true)
    }
}

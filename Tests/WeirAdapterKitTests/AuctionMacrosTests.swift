import Testing
import WeirAdapterKit
import WeirModel

@Suite("Auction macros")
struct AuctionMacrosTests {
    private let macros = AuctionMacros([
        .price: "2.50", .id: "r 1/ü", .currency: "EUR", .loss: "102", .bidID: "",
    ])

    @Test(
        "become their values, encoded for a URL",
        arguments: [
            ("https://b.example/win?p=${AUCTION_PRICE}", "https://b.example/win?p=2.50"),
            ("?p=${AUCTION_PRICE:B64}&c=${AUCTION_CURRENCY}", "?p=Mi41MA%3D%3D&c=EUR"),
            ("?id=${AUCTION_ID}", "?id=r%201%2F%C3%BC"),
            ("?p=${AUCTION_PRICE:AES}", "?p="),
            ("?s=${AUCTION_SEAT_ID}&b=${AUCTION_BID_ID}", "?s=&b="),
            ("?u=https%3A%2F%2Fx%3Fp%3D%24%7BAUCTION_PRICE%7D", "?u=https%3A%2F%2Fx%3Fp%3D2.50"),
            ("?u=%24%7bAUCTION_PRICE%7d", "?u=2.50"),
            ("$${AUCTION_PRICE}$", "$2.50$"),
            ("${AUCTION_PRICE}${AUCTION_CURRENCY}", "2.50EUR"),
            ("${AUCTION_LOSS}", "102"),
        ]
    )
    func expansion(_ text: String, _ expanded: String) {
        #expect(macros.expand(text) == expanded)
    }

    @Test(
        "leave all other text as it is",
        arguments: [
            "", "$", "${", "${}", "${AUCTION_PRICE", "${auction_price}", "${AUCTION_PRICES}", "{AUCTION_PRICE}",
            "$ {AUCTION_PRICE}", "%24%7BAUCTION_PRICE", "100%", "${CACHE}", "[CACHEBUSTING]", "${AUCTION_PRICE:B64",
        ]
    )
    func others(_ text: String) {
        #expect(macros.expand(text) == text)
    }

    @Test("what is known only later stays for later")
    func late() {
        let url = "?p=${AUCTION_PRICE}&l=${AUCTION_LOSS:B64}&t=${AUCTION_IMP_TS}&m=${AUCTION_MIN_TO_WIN}"
        let first = macros.expand(url, keeping: AuctionMacros.Name.late)
        #expect(first == "?p=2.50&l=${AUCTION_LOSS:B64}&t=${AUCTION_IMP_TS}&m=${AUCTION_MIN_TO_WIN}")
        #expect(AuctionMacros([.loss: "2", .impressionTime: "1700"]).expand(first) == "?p=2.50&l=Mg%3D%3D&t=1700&m=")
    }

    @Test(
        "Base64 pads as RFC 4648 does",
        arguments: [("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
    )
    func base64(_ plain: String, _ encoded: String) {
        let text = AuctionMacros([.price: plain]).expand("${AUCTION_PRICE:B64}")
        #expect(text == encoded.replacing("=", with: "%3D"))
    }

    @Test("every loss has a number of the specification's list")
    func losses() {
        #expect(LossReason(.outbid) == .outbid)
        #expect(LossReason(.belowFloor).rawValue == 100)
        #expect(LossReason(.noMarkup).rawValue == 7)
        #expect(LossReason(.blockedCategory).rawValue == 209)
        #expect(LossReason(.wrapperFailed).rawValue == 200)
    }

    @Test("notices are few, and addresses of the web")
    func notices() {
        let urls =
            ["https://a.example/1", "javascript:alert(1)", "ftp://a.example", ""]
            + (2...9).map { "http://a.example/\($0)" }
        let notices = BidNotices(win: urls)
        #expect(notices.win.count == BidNotices.limit)
        #expect(notices.win.allSatisfy { $0.hasPrefix("http") })
        #expect(BidNotices(win: ["file:///etc/passwd"]).isEmpty)
    }
}

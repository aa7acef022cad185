/// Declared networks that answer with JSON.
extension DeclaredScaffold {
    /// A network with its own JSON, and a mapping to read it.
    static func json(_ name: AdapterName) -> Parts {
        let url = "https://api.\(name.kind).example/v1/ad"
        let network = """
            {
              "name": "\(name.title)",
              "preset": "json",
              "formats": ["video", "rewarded"],
              "settings": {
                "api_key": {"required": true, "secret": true, "description": "The key of your account."}
              },
              "url": "\(url)",
              // What is sent; a member whose field has no value is left out.
              "request": {
                "headers": {"Authorization": "Bearer {settings.api_key!}"},
                "json": {
                  "unit": "{network_unit!}",
                  "bundle": "{app_bundle}",
                  "ip": "{ip}",
                  "ua": "{ua}",
                  "user": "{user_id}"
                }
              },
              // What the answer means: paths in the network's own JSON. Nothing at `ads` is a no-fill.
              "reply": {
                "format": "json",
                "error": {
                  "when": {"path": "error", "absent": false},
                  "code": "error.code",
                  "message": "error.message"
                },
                "ads": "ad",
                "ad": {
                  "id": "id",
                  "vast": "vast",
                  "price": {"amount": "price", "currency": "currency"}
                }
              }
            }

            """
        func answer(_ sentence: String, _ reply: String, _ outcome: String) -> String {
            CaseText(
                name: sentence,
                settings: #"{"api_key": "k-123"}"#,
                ask: #"{"network_unit": "unit-1", "device": {"ip": "203.0.113.7"}}"#,
                expect: #"{"method": "POST", "url": "\#(url)", "headers": {"Authorization": "Bearer k-123"},"#
                    + "\n" + #"        "body": {"unit": "unit-1", "ip": "203.0.113.7", "ua": "$absent"}}"#,
                reply: reply,
                outcome: outcome
            ).text
        }
        let type = #""headers": {"Content-Type": "application/json"}"#
        func filled(_ price: String) -> String {
            #"{\#(type),"#
                + "\n" + #"        "body": {"ad": {"id": "a-1", "price": \#(price), "currency": "USD","#
                + "\n" + #"          "vast": "\#(ScaffoldDocuments.ad(name))"}}}"#
        }
        return Parts(
            network: network,
            cases: [
                (
                    "exemplary/fill",
                    answer(
                        "an ad with its price is a fill",
                        filled("2.50"),
                        #"{"result": "fill", "offers": [{"id": "a-1", "price": {"amount": "2.50", "currency": "USD"}}]}"#
                    )
                ),
                (
                    "exemplary/no-fill",
                    answer("no ad is nothing to sell", "{\(type), \"body\": {}}", #"{"result": "no_fill"}"#)
                ),
                (
                    "exemplary/error",
                    answer(
                        "the network's error keeps its code and words",
                        #"{\#(type), "body": {"error": {"code": "quota", "message": "Quota reached."}}}"#,
                        #"{"result": "network_error", "reason": "network_reported", "network_code": "quota"}"#
                    )
                ),
                (
                    "supplemental/bad-price",
                    answer(
                        "a price that is no number is refused",
                        filled("\"much\""),
                        #"{"result": "bad_response", "reason": "bad_price"}"#
                    )
                ),
            ],
            settings: "\"api_key\": {\"env\": \"\(name.kind.uppercased().replacing("-", with: "_"))_KEY\"}"
        )
    }

    /// A network that speaks OpenRTB 2.6.
    static func openRTB(_ name: AdapterName) -> Parts {
        let url = "https://rtb.\(name.kind).example/openrtb2"
        let network = """
            {
              "name": "\(name.title)",
              "preset": "openrtb",
              "settings": {
                "token": {"required": true, "secret": true, "description": "The token of your account."}
              },
              "url": "\(url)",
              "request": {"headers": {"Authorization": "Bearer {settings.token}"}},
              // The settings of the adapter openrtb: what this network wants beyond the specification.
              "openrtb": {"imp": {"ext": {"bidder": {"placementId": "{network_unit}"}}}}
            }

            """
        func answer(_ sentence: String, _ reply: String, _ outcome: String) -> String {
            CaseText(
                name: sentence,
                settings: #"{"token": "t-123"}"#,
                ask: #"{"network_unit": "unit-1", "device": {"ip": "203.0.113.7"}}"#,
                expect: #"{"method": "POST", "url": "\#(url)", "headers": {"Authorization": "Bearer t-123"},"#
                    + "\n" + #"        "body": {"imp": [{"ext": {"bidder": {"placementId": "unit-1"}}}]}}"#,
                reply: reply,
                outcome: outcome
            ).text
        }
        let type = #""headers": {"Content-Type": "application/json"}"#
        func bid(_ price: String) -> String {
            #"{\#(type),"#
                + "\n" + #"        "body": {"id": "r", "cur": "USD", "seatbid": [{"seat": "s-1", "bid": ["#
                + "\n" + #"          {"id": "b-1", "impid": "1", "price": \#(price),"#
                + "\n" + #"           "adm": "\#(ScaffoldDocuments.ad(name))"}]}]}}"#
        }
        return Parts(
            network: network,
            cases: [
                (
                    "exemplary/fill",
                    answer(
                        "a bid is a fill at its price",
                        bid("2.5"),
                        #"{"result": "fill", "offers": [{"id": "b-1", "price": {"amount": "2.50", "currency": "USD"}}]}"#
                    )
                ),
                (
                    "exemplary/no-fill",
                    answer("204 is no bid", #"{"status": 204}"#, #"{"result": "no_fill", "reason": "http_204"}"#)
                ),
                (
                    "supplemental/bad-price",
                    answer(
                        "a price below zero is refused",
                        bid("-1"),
                        #"{"result": "bad_response", "reason": "bad_price"}"#
                    )
                ),
            ],
            settings: "\"token\": {\"env\": \"\(name.kind.uppercased().replacing("-", with: "_"))_TOKEN\"}"
        )
    }
}

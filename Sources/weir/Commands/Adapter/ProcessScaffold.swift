/// The scaffold of a process adapter: a Python program of the standard library, and its cases.
enum ProcessScaffold {
    static func scaffold(_ name: AdapterName, in parent: String) -> Scaffold {
        let folder = "\(parent)/\(name.kind)"
        let entry = """
            {"id": "\(name.kind)", "adapter": "process", "command": ["python3", "\(folder)/adapter.py"],
             "settings": {"url": "https://api.\(name.kind).example/v1/ad"}}
            """
        return Scaffold(
            folder: folder,
            files: [
                Scaffold.File(path: "\(folder)/adapter.py", text: program(name), isProgram: true),
                Scaffold.File(path: "\(folder)/weir_adapter.py", text: library),
                Scaffold.File(path: "\(folder)/README.md", text: readMe(name, entry)),
            ]
                + cases(name).map { Scaffold.File(path: "\(folder)/\($0.path).json", text: $0.text) },
            entry: entry,
            next: ["weir adapter test \(folder)", "weir check --config YOUR_CONFIGURATION"]
        )
    }

    private static func program(_ name: AdapterName) -> String {
        """
        #!/usr/bin/env python3
        \"\"\"The adapter of the network \(name.title): what it is sent, and what its answer means.\"\"\"

        import json

        from weir_adapter import Refusal, SetUpFailed, fill, no_fill, run


        class \(name.type):
            version = "1.0.0"
            formats = ["video"]

            def set_up(self, settings):
                self.url = settings.get("url", "")
                if not self.url.startswith(("http://", "https://")):
                    raise SetUpFailed("settings.url is no address", "Set settings.url.", retryable=False)

            def make_requests(self, ask):
                body = {"unit": ask["network_unit"], "ip": ask.get("device", {}).get("ip")}
                return {
                    "method": "POST",
                    "url": self.url,
                    "headers": {"Content-Type": "application/json"},
                    "body": json.dumps(body),
                }

            def outcome(self, ask, replies):
                # Weir has judged 204, empty bodies, redirects and errors already.
                try:
                    answer = json.loads(replies[0].get("body", ""))
                except ValueError:
                    answer = None
                if not isinstance(answer, dict):
                    raise Refusal("bad_response", "bad_json", "The answer is no JSON object.")
                ad = answer.get("ad")
                if ad is None:
                    return no_fill("no_ad", "The network has no ad.")
                if not isinstance(ad, dict):
                    raise Refusal("bad_response", "bad_json", "ad is no object.")
                # Weir itself refuses an offer without markup, and a price that is none.
                price = {"amount": ad.get("price"), "currency": ad.get("currency")}
                return fill({"id": ad.get("id"), "vast": ad.get("vast"), "price": price})


        run(\(name.type)())

        """
    }

    private static func readMe(_ name: AdapterName, _ entry: String) -> String {
        """
        # \(name.title)

        A process adapter in Python, of the standard library only. `adapter.py` says what is sent and what the answer \
        means; `weir_adapter.py` speaks Weir's adapter protocol and stays as it is. `exemplary/` shows each form of \
        answer as a request and a reply, `supplemental/` holds edges and failures.

        ```json
        \(entry)
        ```

        `weir adapter test` on this folder plays the cases and the fault battery. What `log()` and `print` \
        write goes to the gateway's log. `weir_adapter.py` begins with what else its methods may return: several requests, \
        and requests of the set-up.

        """
    }

    private static func cases(_ name: AdapterName) -> [(path: String, text: String)] {
        let url = "https://api.\(name.kind).example/v1/ad"
        func answer(_ sentence: String, _ reply: String, _ outcome: String) -> String {
            CaseText(
                name: sentence,
                settings: #"{"url": "\#(url)"}"#,
                ask: #"{"network_unit": "unit-1", "device": {"ip": "203.0.113.7"}}"#,
                expect: #"{"method": "POST", "url": "\#(url)", "body": {"unit": "unit-1", "ip": "203.0.113.7"}}"#,
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
        return [
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
                answer(
                    "no ad is nothing to sell",
                    "{\(type), \"body\": {\"ad\": null}}",
                    #"{"result": "no_fill", "reason": "no_ad"}"#
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
        ]
    }
}

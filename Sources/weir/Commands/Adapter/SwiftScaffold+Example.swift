extension SwiftScaffold {
    /// Tests/DocsTests/ExampleAdapter.swift, which is compiled and tested there; a test compares the two.
    static let example = #"""
        public import WeirAdapterKit
        internal import WeirModel

        /// The adapter `example`: networks that answer `GET ask_url` with a VAST document, or with 204 when there is nothing to
        /// sell.
        public enum ExampleAdapterFactory {
            /// Makes the adapters; `settings` are the names that a configuration may use.
            public static let factory = AdapterFactory(
                descriptor: descriptor,
                settings: ["ask_url", "probe_url", "headers"],
                make: { (settings, context) throws(SettingsError) in
                    try ExampleAdapter(AdapterSettings(settings), context)
                }
            )

            static let descriptor = AdapterDescriptor(kind: "example", version: "1.0.0", formats: [.video])
        }

        struct ExampleAdapter: HTTPAdapter {
            let descriptor = ExampleAdapterFactory.descriptor
            let context: AdapterContext
            private let ask: TemplatedRequest
            private let probe: HTTPProbe?

            /// No I/O here: settings are checked, nothing is called.
            init(_ settings: AdapterSettings, _ context: AdapterContext) throws(SettingsError) {
                self.context = context
                ask = try TemplatedRequest(settings, urlSetting: "ask_url")
                probe = try settings.probe()
            }

            /// Ready when the probe answers 2xx; however long it takes, a late success still counts.
            func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
                try await probe?.run(context, progress: progress)
            }

            /// Our words into the network's: `{network_unit}`, `{ip}`, … are filled in and encoded.
            func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest {
                try self.ask.request(for: ask, context)
            }

            /// The network's words into ours.
            ///
            /// 204, an empty body and bad statuses never get here.
            func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
                try LoadOutcome(markup: reply.body)
            }
        }

        """#
}

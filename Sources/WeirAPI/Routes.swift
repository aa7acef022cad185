internal import WeirHTTP

/// Every address of the gateway.
extension Services {
    /// What apps, players, networks and probes call.
    var publicRoutes: [Router.Route] {
        let serveAd = ServeAd(self)
        let serveVAST = ServeVAST(self)
        let serveVMAP = ServeVMAP(self)
        let sessions = Sessions(self)
        let xml = ServerResponse(status: 200, headers: [("Content-Type", "application/xml; charset=utf-8")])
        return [
            Router.Route("POST", "/v1/ads", .everybody) { call throws(Problem) in try await serveAd.handle(call) },
            .prompt("OPTIONS", "/v1/ads", .everybody) { call throws(Problem) in .preflight(call.request) },
            .acting("/v1/vast", xml) { call throws(Problem) in try await serveVAST.handle(call) },
            .prompt("OPTIONS", "/v1/vast", .everybody) { call throws(Problem) in .preflight(call.request) },
            .acting("/v1/vmap", xml) { call throws(Problem) in try await serveVMAP.handle(call) },
            .prompt("OPTIONS", "/v1/vmap", .everybody) { call throws(Problem) in .preflight(call.request) },
            .acting("/v1/t/{signed}", ServerResponse(status: 204)) { call throws(Problem) in try await beacon(call) },
            Router.Route("OPTIONS", "/v1/t/{signed}", .everybody) { call throws(Problem) in .preflight(call.request) },
            Router.Route("POST", "/v1/sessions", .everybody) { call throws(Problem) in try await sessions.open(call) },
            .prompt("OPTIONS", "/v1/sessions", .everybody) { call throws(Problem) in .preflight(call.request) },
            Router.Route("GET", "/v1/sessions/{session}", .everybody) { call throws(Problem) in
                try sessions.read(call)
            },
            Router.Route("DELETE", "/v1/sessions/{session}", .everybody) { call throws(Problem) in
                try await sessions.end(call)
            },
            Router.Route("OPTIONS", "/v1/sessions/{session}", .everybody) { call throws(Problem) in
                .preflight(call.request)
            },
            Router.Route("POST", "/v1/sessions/{session}/inputs", .everybody) { call throws(Problem) in
                try await sessions.inputs(call)
            },
            Router.Route("OPTIONS", "/v1/sessions/{session}/inputs", .everybody) { call throws(Problem) in
                .preflight(call.request)
            },
            Router.Route("GET", "/v1/sessions/{session}/outputs", .everybody) { call throws(Problem) in
                try sessions.outputs(call)
            },
            Router.Route("OPTIONS", "/v1/sessions/{session}/outputs", .everybody) { call throws(Problem) in
                .preflight(call.request)
            },
            Router.Route("GET", "/v1/ssv/keys", .everybody) { call throws(Problem) in verifierKeys(call) },
            Router.Route("GET", "/v1/ssv/{network}", .everybody) { call throws(Problem) in
                try await ssvCallback(call)
            },
            Router.Route("POST", "/v1/ssv/{network}", .everybody) { call throws(Problem) in
                try await ssvCallback(call)
            },
            Router.Route("POST", "/v1/events", .everybody) { call throws(Problem) in try await events(call) },
            .prompt("OPTIONS", "/v1/events", .everybody) { call throws(Problem) in .preflight(call.request) },
            Router.Route("GET", "/player", .everybody) { call throws(Problem) in try playerPage(call) },
            Router.Route("GET", "/radio", .everybody) { call throws(Problem) in try radioPage(call) },
            .prompt("GET", "/healthz", .everybody, isUrgent: true) { call throws(Problem) in health(call) },
            .prompt("GET", "/readyz", .everybody, isUrgent: true) { call throws(Problem) in readiness(call) },
        ]
    }

    /// What operators call.
    var adminRoutes: [Router.Route] {
        [
            Router.Route("GET", "/v1/adapters", .operators) { call throws(Problem) in listAdapters(call) },
            Router.Route("GET", "/v1/adapters/{network}", .operators) { call throws(Problem) in try adapter(call) },
            Router.Route("POST", "/v1/adapters/{network}/restart", .operators) { call throws(Problem) in
                try restartAdapter(call)
            },
            Router.Route("POST", "/v1/adapters/{network}/enable", .operators) { call throws(Problem) in
                try enableAdapter(call)
            },
            Router.Route("POST", "/v1/adapters/{network}/disable", .operators) { call throws(Problem) in
                try disableAdapter(call)
            },
            Router.Route("POST", "/v1/explain", .operators) { call throws(Problem) in try explain(call) },
            Router.Route("GET", "/v1/requests", .operators) { call throws(Problem) in try await requests(call) },
            Router.Route("GET", "/v1/requests/{request_id}", .operators) { call throws(Problem) in
                try await request(call)
            },
            Router.Route("GET", "/", .everybody) { call throws(Problem) in inspectorPage(call) },
            Router.Route("GET", "/v1/alarms", .operators) { call throws(Problem) in await alarms(call) },
            Router.Route("GET", "/v1/rewards", .operators) { call throws(Problem) in try await listRewards(call) },
            Router.Route("GET", "/v1/rewards/{transaction_id}", .operators) { call throws(Problem) in
                try await reward(call)
            },
            Router.Route("POST", "/v1/rewards/{transaction_id}/redeliver", .operators) { call throws(Problem) in
                try await redeliverReward(call)
            },
            Router.Route("GET", "/v1/config", .operators) { call throws(Problem) in await currentConfiguration(call) },
            Router.Route("POST", "/v1/config/check", .operators) { call throws(Problem) in
                await checkConfiguration(call)
            },
            Router.Route("POST", "/v1/config/reload", .operators) { call throws(Problem) in
                await reloadConfiguration(call)
            },
            Router.Route("GET", "/metrics", .operators) { call throws(Problem) in exposition(call) },
            Router.Route("GET", "/openapi.json", .operators) { call throws(Problem) in .json(OpenAPI.document) },
        ]
    }
}

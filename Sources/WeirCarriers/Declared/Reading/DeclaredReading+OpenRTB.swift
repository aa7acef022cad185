internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirTime

extension DeclaredReading {
    /// A network that another adapter speaks to, whose settings this file gives.
    ///
    /// `url`, `probe_url` and `request.headers` stand where they stand in every file; `openrtb` holds the rest.
    func handedOver(to kind: String) -> DeclaredNetwork.Source {
        guard let adapter = adapters.first(where: { $0.descriptor.kind == kind }) else {
            root.complain(about: "preset", "is not available in this version: there is no adapter \(kind).")
            return .house([])
        }
        var given = JSONObject()
        let own = root.member("openrtb")
        for member in own?.value.object?.members ?? [] {
            given[member.key] = member.value
            let known = adapter.settings.filter { !["endpoint", "probe_url", "headers", "api_key"].contains($0) }
            if !known.contains(member.key), let own {
                own.problems.note(
                    JSONProblem(
                        kind: .unknownKey,
                        path: own.path.key(member.key),
                        message: "There is no such key.",
                        hint: NearestName.of(member.key, among: known).map { "Did you mean \"\($0)\"?" }
                            ?? "Known here: \(known.joined(separator: ", "))."
                    )
                )
            }
        }
        if let url = root.member("url") {
            given["endpoint"] = handedOver(url)
        } else {
            root.complain(about: "url", "is required.", kind: .missing)
        }
        given["probe_url"] = root.member("probe_url").flatMap(handedOver)
        if let request = root.member("request") {
            for member in request.value.object?.members ?? [] where member.key != "headers" {
                request.complain(
                    about: member.key,
                    "says nothing under the preset openrtb.",
                    hint: "Use openrtb.request."
                )
            }
            if let headers = request.member("headers") {
                let members = (headers.value.object?.members ?? []).map { header in
                    let field = JSONField(header.value, path: headers.path.key(header.key), problems: headers.problems)
                    return (header.key, handedOver(field) ?? .string(""))
                }
                given["headers"] = .object(JSONObject(members))
            }
        }
        let template = DeclaredAdapterSettings(settings: given)
        tryOut(adapter, template)
        return .adapter(adapter, template)
    }

    /// A template for the other adapter, whose templates know fields and no filters.
    private func handedOver(_ field: JSONField) -> JSONValue? {
        guard let template = template(field) else { return nil }
        if template.uses.contains(where: { !$0.filters.isEmpty }) {
            field.complain("has a filter, and the adapter openrtb knows none.", hint: "Leave it away.")
        }
        return field.value.scalarText.map(JSONValue.string)
    }

    /// Shows the other adapter its settings once, with stand-ins for what the operator will say.
    private func tryOut(_ adapter: AdapterFactory, _ template: DeclaredAdapterSettings) {
        guard root.problems.isEmpty else { return }
        var values = DeclaredSettingValues()
        for setting in settings {
            let value = setting.fallback ?? setting.choices.first
            values.texts[setting.name] = value?.scalarText ?? (setting.kind == .url ? "https://a.example" : "1")
        }
        do throws(SettingsError) {
            _ = try adapter.make(template.filled(values), .forNothing)
        } catch {
            let rest = error.path.hasPrefix("settings.") ? String(error.path.dropFirst(9)) : ""
            let field =
                rest.hasPrefix("endpoint")
                ? root.member("url")
                : rest.hasPrefix("probe_url")
                    ? root.member("probe_url")
                    : rest.hasPrefix("headers") ? root.member("request")?.member("headers") : root.member("openrtb")
            let place = field?.path == root.path.key("openrtb") ? "\(rest) " : ""
            (field ?? root).complain("\(place)\(error.message).")
        }
    }
}

extension AdapterContext {
    /// What an adapter gets that is made only to see whether it accepts its settings: nothing can be reached.
    fileprivate static var forNothing: AdapterContext {
        AdapterContext(network: "declared", transport: NoTransport(), clock: SystemClock())
    }
}

private struct NoTransport: HTTPTransport {
    func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        throw TransportError(.connectionRefused, "No network is called while a file is checked.")
    }
}

internal import WeirAdapterKit
internal import WeirJSON

extension DeclaredReading {
    /// A network that another adapter speaks to, whose settings this file gives.
    func handedOver(to kind: String) -> DeclaredNetwork.Source {
        guard let adapter = adapters.first(where: { $0.descriptor.kind == kind }) else {
            root.complain(about: "preset", "is not available in this version: there is no adapter \(kind).")
            return .house([])
        }
        return .adapter(adapter, DeclaredAdapterSettings(settings: root.value["openrtb"]?.object ?? [:]))
    }
}

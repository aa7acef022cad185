extension InLine {
    /// The same ad with what a version requires and real ads lack.
    ///
    /// Added are an empty name of the system, a title, an id of the serving (4.1+), `unknown` as the universal id (VAST
    /// 4.3 §3.7.1 names that word for it), and a file's delivery and size; several viewable impressions become one.
    func completed(for version: VASTVersion, adID: String?) -> InLine {
        var inLine = self
        inLine.system = system ?? AdSystem(name: "")
        inLine.title = title ?? adID ?? ""
        if version >= .v41 { inLine.adServingID = adServingID ?? adID ?? "unknown" }
        inLine.viewableImpressions = mergedViewableImpressions
        inLine.creatives = creatives.map { $0.completed(for: version) }
        return inLine
    }

    /// VAST 4 has room for one element with any number of URLs.
    private var mergedViewableImpressions: [ViewableImpression] {
        guard viewableImpressions.count > 1 else { return viewableImpressions }
        return [
            ViewableImpression(
                id: viewableImpressions.lazy.compactMap(\.id).last,
                viewable: viewableImpressions.flatMap(\.viewable),
                notViewable: viewableImpressions.flatMap(\.notViewable),
                undetermined: viewableImpressions.flatMap(\.undetermined)
            )
        ]
    }
}

extension Creative {
    fileprivate func completed(for version: VASTVersion) -> Creative {
        var creative = self
        if version >= .v4, universalAdIDs.isEmpty {
            creative.universalAdIDs = [UniversalAdID(registry: "unknown", value: "unknown")]
        }
        if var linear {
            linear.mediaFiles = linear.mediaFiles.map(\.completed)
            linear.mezzanines = linear.mezzanines.map { Mezzanine(file: $0.file.completed) }
            if version == .v3 { linear.icons = linear.icons.map(\.completed) }
            creative.linear = linear
        }
        return creative
    }
}

extension MediaFile {
    /// Size zero is what VAST 4.3 §3.9.1 asks for where there is nothing to see.
    fileprivate var completed: MediaFile {
        var file = self
        file.delivery = delivery ?? .progressive
        file.type = type ?? ""
        file.width = width ?? 0
        file.height = height ?? 0
        return file
    }
}

extension Icon {
    /// VAST 3 requires a programme, a size and a place (schema 3.0).
    fileprivate var completed: Icon {
        var icon = self
        icon.program = program ?? ""
        icon.width = width ?? 0
        icon.height = height ?? 0
        icon.xPosition = xPosition ?? "right"
        icon.yPosition = yPosition ?? "top"
        return icon
    }
}

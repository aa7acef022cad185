import WeirTime
import WeirVAST

/// Reads bytes as VAST in both modes; what is read must survive everything that the library does with it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVAST(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    for options in [ReadOptions.lenient, .strict] {
        let reading = VASTReader.read(bytes, options: options)
        precondition(reading.diagnostics.count <= options.limits.diagnostics + 1)
        if let document = reading.vast { use(document) }
        if let schedule = reading.vmap { use(schedule) }
    }
    precondition(DocumentOutline(bytes).elements.allSatisfy { $0.line > 0 && $0.column > 0 })
    inject(into: bytes)
    return 0
}

private func use(_ document: VASTDocument) {
    precondition(VASTReader.read(VASTWriter.write(document).bytes).vast == document, "It is not what was written.")
    for version in VASTVersion.allCases {
        let output = VASTWriter.convert(document, to: version)
        precondition(VASTReader.read(output.bytes).vast?.ads.count == document.ads.count, "An ad is lost.")
    }
    for ad in document.ads {
        guard let inLine = ad.inLine else { continue }
        let resolved = ResolvedAd(id: ad.id, sequence: ad.sequence, inLine: inLine)
        _ = MediaSelector(mimeTypes: ["video/mp4"], maxBitrate: 1000).select(from: resolved.mediaFiles)
        play(resolved)
    }
}

private func play(_ ad: ResolvedAd) {
    let expander = MacroExpander(timestamp: WallTime(milliseconds: 0), cacheBuster: 12_345_678)
    var tracking = AdTracking(ad: ad)
    var beacons = tracking.take(.started)
    if let duration = ad.duration { beacons += tracking.take(.position(duration / 2)) }
    beacons += tracking.take(.completed)
    precondition(tracking.take(.started).isEmpty)
    for beacon in beacons { _ = expander.expand(beacon.url, use: beacon.use) }
}

private func use(_ schedule: VMAPDocument) {
    var again = VASTReader.read(VASTWriter.write(schedule).bytes).vmap
    again?.namespace = schedule.namespace
    if schedule.version.isEmpty { again?.version = "" }
    // A prefix that the document forgot to declare is declared in what is written.
    precondition(again.map(withoutPrefix) == withoutPrefix(schedule), "It is not what was written.")
    for duration in [nil, Duration.seconds(600)] {
        let placed = BreakSchedule(schedule, contentDuration: duration)
        precondition(placed.entries.count + placed.unplaced.count >= schedule.adBreaks.count)
    }
}

private func withoutPrefix(_ schedule: VMAPDocument) -> VMAPDocument {
    func plain(_ extensions: [VASTExtension]) -> [VASTExtension] {
        extensions.map { value in
            var value = value
            value.attributes.removeAll { $0.name == "xmlns:vmap" }
            return value
        }
    }
    var schedule = schedule
    schedule.extensions = plain(schedule.extensions)
    for index in schedule.adBreaks.indices {
        schedule.adBreaks[index].extensions = plain(schedule.adBreaks[index].extensions)
    }
    return schedule
}

private func inject(into bytes: [UInt8]) {
    let additions = Additions(
        impressions: [TrackedURL(url: "https://w.test/]]>\"")],
        trackingEvents: [TrackingEvent(event: .start, url: "https://w.test/s")],
        clickTracking: [TrackedURL(url: "https://w.test/c")],
        errors: ["https://w.test/e"]
    )
    let output = VASTInjector.inject(additions, into: bytes)
    guard output.failure == nil else { return }
    precondition(VASTReader.read(output.bytes, options: .strict).isWellFormed, "The additions broke the document.")
}

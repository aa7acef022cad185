internal import WeirAdapterKit
internal import WeirModel
internal import WeirVAST

extension OfferExamination {
    /// What this placement demands of an ad, in the resolver's words; ``macros`` are added where they are needed.
    var options: ResolveOptions {
        let adUnit = acceptance.adUnit
        var options = ResolveOptions()
        options.wrapperDepth = acceptance.wrapperDepth
        options.maxFetches = source.maxFetches
        options.deadline = source.deadline
        options.blockedCategories = adUnit.blockedCategories.sorted().map { Category(code: $0) }
        options.requiresCategory = adUnit.requiresCategory
        options.requiresLinear = true
        options.requiresHideableUI = acceptance.placement.requiresHideableUI
        if adUnit.minDuration != nil || adUnit.maxDuration != nil {
            let longest = adUnit.maxDuration ?? .seconds(86_400)
            options.durations = min(adUnit.minDuration ?? .zero, longest)...longest
        }
        options.selector = acceptance.selector
        options.companions = acceptance.request.player.companions.map { places in
            CompanionSelector(
                slots: places.map { CompanionSelector.Slot(id: $0.id, width: $0.width, height: $0.height) }
            )
        }
        return options
    }

    /// VAST 4.3 §6: the values for macros in wrappers' addresses; personal data is already gone where consent demands it.
    var macros: MacroContext {
        let ask = AdAsk(
            requestID: acceptance.call.requestID,
            request: acceptance.request,
            adUnit: acceptance.adUnit,
            lineItem: source.lineItem,
            deadline: source.deadline,
            isTest: acceptance.isTest
        )
        let values = ask.macroValues(clock: acceptance.foundations.clock)
        return MacroContext(values: values.mapValues { $0.count == 1 ? .text($0[0]) : .list($0) })
    }
}

extension AdAcceptance {
    /// MIME types that every player of a format is taken to play when it does not say.
    ///
    /// Audio takes the sound of HLS too; IAB's own audio sample comes as video, but only a player that says so plays it.
    private static func usualTypes(_ format: AdFormat) -> [String] {
        switch format {
        case .video, .rewarded: ["video/*", "application/vnd.apple.mpegurl", "application/dash+xml"]
        case .audio: ["audio/*", "application/vnd.apple.mpegurl", "application/ogg"]
        }
    }

    fileprivate var selector: MediaSelector {
        let player = request.player
        var selector = MediaSelector(
            mimeTypes: player.mimes.isEmpty ? Self.usualTypes(adUnit.format) : player.mimes,
            maxBitrate: player.maxBitrate
        )
        if let width = player.width, let height = player.height {
            selector.size = MediaSelector.Size(width: width, height: height)
        }
        return selector
    }

    /// VAST 4.3 §1.1.3 and IAB SSAI guidance: a server that calls for a device says for which.
    var deviceHeaders: [HTTPHeader] { request.device.trackingHeaders }
}

extension AdRequest.Device {
    /// For which device a server calls, in the headers that VAST names (VAST 4.3 §1.1.3).
    var trackingHeaders: [HTTPHeader] {
        [
            ip.map { HTTPHeader("X-Device-IP", $0) },
            userAgent.map { HTTPHeader("X-Device-User-Agent", $0) },
            language.map { HTTPHeader("X-Device-Accept-Language", $0) },
        ].compactMap(\.self).filter { header in
            header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }
}

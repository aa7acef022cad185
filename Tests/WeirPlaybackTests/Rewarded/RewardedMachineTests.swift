import Testing
import WeirModel
import WeirVAST

@testable import WeirPlayback

@Suite("Rewarded machine")
struct RewardedMachineTests {
    @Test("S2.5 load, options, callbacks, show: the four steps in order")
    func steps() {
        var machine = RewardedMachine()
        #expect(machine.stateName == "loading")
        #expect(machine.handle(.loaded(Coins.content()), at: .zero).names == ["ads_loaded", "loaded"])
        #expect(machine.handle(.setSSVOptions(.init(customData: "level=7")), at: .zero).isEmpty)
        let outputs = machine.play([
            .present(optIn: true), .impression, .earnedReward, .willDismiss, .dismissed(earnedReward: false),
        ])
        #expect(
            outputs.names == [
                "load_ad", "play_ad", "will_present", "impression", "earned_reward", "will_dismiss", "dismissed",
            ]
        )
        #expect(machine.stateName == "dismissed" && machine.isFinished)
    }

    @Test("S2.7 S2.8 a load ends in an ad or in a failure with a message, once")
    func loadEnds() throws {
        var settings = RewardedSettings()
        settings.userContext = .text("mine")
        var machine = RewardedMachine(settings: settings)
        let outputs = machine.handle(.loadFailed(code: "no_ad", message: "Nobody has an ad."), at: .zero)
        #expect(outputs == [.loadFailed(code: "no_ad", message: "Nobody has an ad.", userContext: .text("mine"))])
        #expect(machine.content == nil && machine.stateName == "failed")
        #expect(machine.handle(.loaded(Coins.content()), at: .zero).isEmpty)
        var other = RewardedMachine(settings: settings)
        #expect(other.handle(.loaded(Coins.content()), at: .zero).first == .adsLoaded(userContext: .text("mine")))
        #expect(other.handle(.loadFailed(code: "late", message: "Late."), at: .zero).isEmpty)
        #expect(other.handle(.loaded(Coins.content()), at: .zero).isEmpty)
    }

    @Test(
        "S2.9 custom data travels unchanged",
        arguments: ["level 7", "a&b", "a=b", "100%", "1+1", "🎁", "שלום", "%20", "?#"]
    )
    func customData(_ text: String) throws {
        let options = ServerSideVerificationOptions(customData: text)
        let value = try #require(options.query.split(separator: "=", maxSplits: 1).last)
        #expect(value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "+") })
        #expect(Self.decoded(value) == text)
        var machine = Coins.loaded()
        let message = PlaybackMessage("set_ssv_options", [PlaybackDetail("custom_data", text)])
        #expect(machine.receive(message, at: .zero).isEmpty)
        #expect(machine.ssvOptions.customData == text)
    }

    @Test("S2.10 what is not set is absent, what is empty is there and empty")
    func absence() {
        #expect(ServerSideVerificationOptions().query == "")
        #expect(ServerSideVerificationOptions(customData: "").query == "custom_data=")
        #expect(ServerSideVerificationOptions(userID: "u").query == "user_id=u")
        #expect(ServerSideVerificationOptions(userID: "", customData: "x").query == "custom_data=x&user_id=")
        var machine = Coins.loaded()
        _ = machine.receive(PlaybackMessage("set_ssv_options", [PlaybackDetail("user_id", "")]), at: .zero)
        #expect(machine.ssvOptions == ServerSideVerificationOptions(userID: "", customData: nil))
    }

    @Test("S2.11 options are taken until the ad is presented; then they are ignored with a refusal")
    func optionsUntilPresent() {
        var machine = RewardedMachine()
        #expect(machine.handle(.setSSVOptions(.init(userID: "before")), at: .zero).isEmpty)
        _ = machine.handle(.loaded(Coins.content()), at: .zero)
        #expect(machine.handle(.setSSVOptions(.init(userID: "after")), at: .zero).isEmpty)
        _ = machine.handle(.present(optIn: true), at: .zero)
        #expect(machine.handle(.setSSVOptions(.init(userID: "late")), at: .zero).names == ["refused(wrong_order)"])
        #expect(machine.ssvOptions.userID == "after")
    }

    @Test("S2.13 an expired or used ad fails to present: no reward, no will-present")
    func failedToPresent() {
        var expired = Coins.loaded()
        let outputs = expired.handle(.present(optIn: true), at: .seconds(3600))
        #expect(outputs.names == ["expired", "failed_to_present", "refused(expired)"])
        #expect(expired.stateName == "expired")
        var used = Coins.loaded()
        _ = used.play([.present(optIn: true), .dismissed(earnedReward: false)])
        #expect(
            used.handle(.present(optIn: true), at: .seconds(2)).names == ["failed_to_present", "refused(already_used)"]
        )
        var broken = Coins.loaded()
        let end = broken.play([.present(optIn: true), .failedToPresent(reason: "no codec")])
        #expect(end.names == ["load_ad", "play_ad", "failed_to_present"])
        #expect(end.beacons == ["error"])
        #expect(broken.play([.earnedReward]).names == ["refused(finished)"])
    }

    @Test("S2.14 S2.15 S2.16 S2.17 S2.18 each event is told once")
    func eachOnce() {
        var machine = Coins.loaded()
        let inputs: [RewardedInput] = [
            .present(optIn: true), .willPresent, .willPresent, .impression, .impression, .click, .click, .willDismiss,
            .willDismiss, .dismissed(earnedReward: false), .dismissed(earnedReward: false),
        ]
        let names = machine.play(inputs).names.filter { !$0.hasPrefix("refused") }
        #expect(
            names == [
                "load_ad", "play_ad", "will_present", "impression", "click", "open_url", "click", "open_url",
                "will_dismiss", "dismissed",
            ]
        )
    }

    @Test("S2.17 the impression fires its trackers once, and quartiles follow")
    func trackers() {
        var machine = Coins.loaded()
        let outputs = machine.play([
            .present(optIn: true), .impression, .progress(position: .seconds(8), duration: nil),
            .progress(position: .seconds(16), duration: nil), .progress(position: .seconds(29), duration: nil),
            .completed, .completed, .dismissed(earnedReward: true),
        ])
        #expect(
            outputs.beacons == ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        )
    }

    @Test("S2.21 an ad is presented once, also after a failed presentation")
    func oneTime() {
        var machine = Coins.loaded()
        let outputs = machine.play([.present(optIn: true), .willPresent, .present(optIn: true)])
        #expect(outputs.names == ["load_ad", "play_ad", "will_present", "failed_to_present", "refused(already_used)"])
        #expect(machine.stateName == "presenting")
        _ = machine.play([.failedToPresent(reason: "gone")])
        #expect(machine.play([.present(optIn: true)]).names == ["failed_to_present", "refused(already_used)"])
    }

    @Test("S2.23 without the viewer's yes nothing is shown, and the ad stays ready; the yes is logged")
    func optIn() {
        var machine = Coins.loaded()
        #expect(machine.handle(.present(optIn: false), at: .zero).names == ["refused(opt_in_required)"])
        #expect(machine.receive(PlaybackMessage("present"), at: .zero).names == ["refused(opt_in_required)"])
        #expect(machine.stateName == "loaded")
        let outputs = machine.receive(PlaybackMessage("present", [PlaybackDetail("opt_in", true)]), at: .zero)
        #expect(outputs.contains { if case .log(let text) = $0 { text.contains("agreed") } else { false } })
    }

    @Test("S2.25 before there is an ad a presentation is refused and nothing else happens")
    func notReady() {
        var machine = RewardedMachine()
        #expect(machine.handle(.present(optIn: true), at: .zero).names == ["refused(not_loaded)"])
        _ = machine.handle(.loadFailed(code: "no_ad", message: "None."), at: .zero)
        #expect(machine.handle(.present(optIn: true), at: .zero).names == ["refused(not_loaded)"])
        #expect(machine.handle(.present(optIn: true), at: .zero).count == 1)
    }

    @Test("S2.27 amounts keep their exact decimal value", arguments: ["10", "0.5", "1500", "0.000000000000000001"])
    func amounts(_ amount: String) {
        var machine = RewardedMachine()
        _ = machine.handle(.loaded(Coins.content(amount: amount)), at: .zero)
        let outputs = machine.play([.present(optIn: true), .earnedReward])
        let value = PlaybackValue.object([PlaybackDetail("item", "coins"), PlaybackDetail("amount", amount)])
        #expect(outputs.last?.details.first == PlaybackDetail("reward", value))
    }

    @Test("S2.28 S2.30 the reward is known before the ad is shown")
    func rewardBefore() {
        let machine = Coins.loaded()
        // Item and amount for the text of the offer, from the network's own answer, in a session that nobody has presented.
        #expect(machine.stateName == "loaded")
        let offer = PlaybackValue.object([PlaybackDetail("item", "coins"), PlaybackDetail("amount", "10")])
        #expect(machine.snapshot.contains(PlaybackDetail("reward", offer)))
        #expect(machine.snapshot.contains(PlaybackDetail("reward_earned", false)))
    }

    @Test("S2.29 a second yes during the presentation changes nothing")
    func doubleTap() {
        var machine = Coins.loaded()
        _ = machine.play([.present(optIn: true), .impression])
        #expect(machine.play([.present(optIn: true)]).names.last == "refused(already_used)")
        #expect(machine.play([.earnedReward]).names == ["earned_reward"])
    }

    @Test("S2.37 SX.4 what the host hears keeps its order, whatever order the player reports in")
    func order() {
        var early = Coins.loaded()
        #expect(
            early.play([.present(optIn: true), .earnedReward, .dismissed(earnedReward: false)]).names
                == ["load_ad", "play_ad", "will_present", "earned_reward", "will_dismiss", "dismissed"]
        )
        var leaving = Coins.loaded()
        let outputs = leaving.play([.present(optIn: true), .willDismiss, .impression, .click, .earnedReward])
        #expect(
            outputs.names == [
                "load_ad", "play_ad", "will_present", "will_dismiss", "refused(wrong_order)", "refused(wrong_order)",
                "earned_reward",
            ]
        )
    }

    @Test("S2.38 a reward within 30 s after the end counts once and is marked late; later it does not")
    func late() {
        func dismissed() -> RewardedMachine {
            var machine = Coins.loaded()
            let outputs = machine.play([.present(optIn: true), .dismissed(earnedReward: false)], at: .seconds(100))
            #expect(outputs.last == .dismissed(rewardEarned: false))
            #expect(machine.nextDeadline == .seconds(130) && !machine.isFinished)
            return machine
        }
        var inTime = dismissed()
        #expect(inTime.handle(.earnedReward, at: .seconds(129)) == [.earnedReward(Coins.reward, isLate: true)])
        #expect(inTime.handle(.earnedReward, at: .seconds(129)).names == ["refused(already_used)"])
        var tooLate = dismissed()
        #expect(tooLate.timePassed(at: .seconds(130)).isEmpty && tooLate.isFinished)
        #expect(tooLate.handle(.earnedReward, at: .seconds(131)).names == ["refused(expired)"])
        #expect(!tooLate.hasEarned)
    }

    @Test("S2.39 a network with a single callback gives reward, then dismissal")
    func singleCallback() {
        var machine = Coins.loaded()
        let message = PlaybackMessage("dismissed", [PlaybackDetail("earned_reward", true)])
        _ = machine.play([.present(optIn: true)])
        let outputs = machine.receive(message, at: .seconds(5))
        #expect(outputs.names == ["will_present", "earned_reward", "will_dismiss", "dismissed"])
        #expect(outputs.contains(.dismissed(rewardEarned: true)))
    }

    @Test("an ad expires an hour after the load, or when its network says")
    func expiry() {
        var machine = Coins.loaded()
        #expect(machine.nextDeadline == .seconds(3600))
        #expect(machine.timePassed(at: .seconds(3599)).isEmpty)
        #expect(machine.timePassed(at: .seconds(3600)) == [.expired])
        #expect(machine.timePassed(at: .seconds(9999)).isEmpty && machine.isFinished)
        var own = RewardedMachine()
        _ = own.handle(.loaded(Coins.content(expires: .seconds(60))), at: .seconds(5))
        #expect(own.nextDeadline == .seconds(65))
        _ = own.handle(.present(optIn: true), at: .seconds(64))
        #expect(own.timePassed(at: .seconds(9999)).isEmpty && own.stateName == "presenting")
        var odd = RewardedMachine()
        _ = odd.handle(.loaded(Coins.content(expires: .seconds(-1))), at: .zero)
        #expect(odd.handle(.present(optIn: true), at: .zero).names.last == "refused(expired)")
    }

    @Test("an ad that was loaded and never shown is not used; a session that ends early tells the end of all")
    func destroy() {
        var unused = Coins.loaded()
        #expect(unused.handle(.destroy, at: .zero).beacons == ["notUsed"])
        #expect(unused.isFinished)
        var loading = RewardedMachine()
        #expect(loading.handle(.destroy, at: .zero).names == ["load_failed"])
        var shown = Coins.loaded()
        _ = shown.play([.present(optIn: true), .impression])
        #expect(shown.play([.destroy]).names == ["will_dismiss", "dismissed"])
        #expect(shown.play([.destroy, .earnedReward]).names == ["refused(finished)"])
    }

    @Test(
        "what cannot be read is refused and changes nothing",
        arguments: [
            (PlaybackMessage("present", [PlaybackDetail("opt_in", "yes")]), "bad_input"),
            (PlaybackMessage("set_ssv_options", [PlaybackDetail("user_id", 7)]), "bad_input"),
            (
                PlaybackMessage(
                    "set_ssv_options",
                    [PlaybackDetail("custom_data", String(repeating: "x", count: 8193))]
                ), "bad_input"
            ),
            (PlaybackMessage("ad_progress", [PlaybackDetail("position_ms", .number(.nan))]), "bad_input"),
            (PlaybackMessage("ad_progress"), "bad_input"), (PlaybackMessage("start_preroll"), "unknown_input"),
            (PlaybackMessage(""), "unknown_input"),
        ]
    )
    func unreadable(_ message: PlaybackMessage, _ reason: String) {
        var machine = Coins.loaded()
        #expect(machine.receive(message, at: .zero).names == ["refused(\(reason))"])
        #expect(machine.stateName == "loaded" && machine.ssvOptions == ServerSideVerificationOptions())
    }

    @Test("inputs by their names mean what they say")
    func names() throws {
        let types = [
            "load", "present", "will_present", "impression", "click", "earned_reward", "will_dismiss", "dismissed",
            "failed_to_present", "ad_completed", "ad_paused", "ad_resumed", "muted", "unmuted", "destroy",
            "set_ssv_options",
        ]
        for type in types { #expect(try RewardedInput(PlaybackMessage(type)).type == type) }
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

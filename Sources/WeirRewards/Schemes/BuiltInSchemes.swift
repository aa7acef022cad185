internal import WeirJSON

/// The schemes that Weir knows, each as it would stand in a configuration file.
///
/// Only what public documentation states is here. AppLovin's `EVENT_TOKEN` covers the event id alone; Vungle's, Pangle's
/// cover the transaction alone: user and amount then come from Weir's own record of the view.
package enum BuiltInSchemes {
    /// AdMob's.
    package static let admob: RewardScheme = {
        var scheme = RewardScheme(
            id: "admob",
            parameters: [
                "transaction": "transaction_id", "user": "user_id", "custom_data": "custom_data", "ad_unit": "ad_unit",
                "item": "reward_item", "amount": "reward_amount", "timestamp": "timestamp",
            ],
            signing: .admob
        )
        scheme.hasEpochTimestamp = true
        scheme.testTransaction = "123456789"
        scheme.retries = "up to 5 times, 1 s apart"
        return scheme
    }()

    /// All, sorted by id.
    package static let all: [RewardScheme] = {
        let declared = (try? JSONReader.read(document))?.array ?? []
        return ([admob] + declared.compactMap { try? RewardScheme(json: $0) }).sorted { $0.id < $1.id }
    }()

    /// The scheme called `id`.
    package static func scheme(_ id: String) -> RewardScheme? { all.first { $0.id == id } }

    /// The declared ones.
    static let document = """
        [
          {"id": "applovin_max",
           "fields": {"transaction": "event_id", "user": "user_id", "custom_data": "custom_data",
                      "ad_unit": "ad_unit_id", "item": "currency", "amount": "amount"},
           "signature": {"parameter": "event_token", "digest": "sha1", "text": "{transaction}{secret}"},
           "retries": "up to 2 more times when there is no answer in 5 s; none for test ads"},

          {"id": "levelplay",
           "fields": {"transaction": "eventId", "user": "userId", "amount": "rewards", "timestamp": "timestamp",
                      "custom_data": "custom_data"},
           "signature": {"parameter": "signature", "digest": "md5",
                         "text": "{timestamp}{transaction}{user}{amount}{secret}"},
           "replies": {"accepted": {"status": 200, "body": "{transaction}:OK"}},
           "retries": "20 times in 24 hours, then once a day for 7 days"},

          {"id": "unity_ads",
           "fields": {"transaction": "oid", "user": "sid", "custom_data": "sid"},
           "signature": {"parameter": "hmac", "digest": "hmac_md5", "sorted": "name=value", "join": ","},
           "replies": {"accepted": {"status": 200, "body": "1"}}},

          {"id": "vungle",
           "fields": {"transaction": "txid", "user": "uid", "custom_data": "uid", "amount": "amount"},
           "signature": {"parameter": "digest", "digest": "sha256_twice", "text": "{secret}:{transaction}"}},

          {"id": "pangle",
           "fields": {"transaction": "trans_id", "user": "user_id", "item": "reward_name", "amount": "reward_amount",
                      "custom_data": "extra"},
           "signature": {"parameter": "sign", "digest": "sha256", "text": "{secret}:{transaction}"},
           "replies": {"accepted": {"status": 200, "body": "{\\"isValid\\": true}"},
                       "refused": {"status": 200, "body": "{\\"isValid\\": false}"}}},

          {"id": "tapjoy",
           "fields": {"transaction": "id", "user": "snuid", "custom_data": "snuid", "amount": "currency"},
           "signature": {"parameter": "verifier", "digest": "md5", "text": "{transaction}:{user}:{amount}:{secret}"},
           "retries": "every 5 minutes for up to 4 days, until 200 or 403"},

          {"id": "admost",
           "fields": {"transaction": "event_id", "user": "app_user_id", "item": "currency", "amount": "reward",
                      "custom_data": "custom_data"},
           "signature": {"parameter": "verifier", "digest": "md5",
                         "text": "{app_id}{user}{item}{transaction}{network}{amount}{created_at}{secret}"}},

          {"id": "fyber",
           "fields": {"transaction": "_trans_id_", "user": "uid", "amount": "amount", "custom_data": "pub0"},
           "signature": {"parameter": "sid", "digest": "sha1",
                         "text": "{secret}{user}{amount}{transaction}{pub0?}{pub1?}{pub2?}{pub3?}{pub4?}{pub5?}{pub6?}{pub7?}{pub8?}{pub9?}"},
           "replies": {"refused": {"status": 400}}}
        ]
        """
}

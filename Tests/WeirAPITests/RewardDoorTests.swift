import Testing
import WeirHTTP
import WeirJSON
import WeirModel

@testable import WeirAPI

/// `POST /v1/events` and what operators do with rewards; docs/rewards.md describes both.
@Suite("Rewards over HTTP")
struct RewardDoorTests {
    private func coins() async -> House {
        await House {
            $0.format = .rewarded
            $0.rewardMode = .client
            $0.reward = Reward(item: "coins", amount: ExactDecimal(10))
        }
    }

    private func token(_ house: House) async throws -> String {
        let answer = try await house.ask("POST", "/v1/ads", body: #"{"placement":"p"}"#).json()
        return try #require(answer["ad"]?["presentation_token"]?.string)
    }

    private func post(_ house: House, _ event: JSONValue) async throws -> JSONValue {
        let answer = await house.ask("POST", "/v1/events", body: event.encodedText)
        #expect(answer.status == 200)
        return try answer.json()
    }

    @Test("an event alone is answered by itself, a list by its results in order, a forged token among them")
    func events() async throws {
        let house = await coins()
        let token = JSONValue.string(try await token(house))
        let noted = try await post(house, ["type": "presented", "presentation_token": token, "user_id": "u"])
        #expect(noted == ["grant_id": nil, "state": "noted"])
        let list: JSONValue = [
            "events": [
                ["type": "earned_reward", "presentation_token": token],
                ["type": "earned_reward", "presentation_token": "forged"],
            ]
        ]
        let results = try await post(house, list)["results"]?.array ?? []
        #expect(results.map { $0["state"]?.string } == ["granted", "refused"])
        #expect(results.last?["reason"]?.string == "forged_token")
        #expect(results.last?["grant_id"]?.isNull == true)
        let alone = await house.ask("POST", "/v1/events", body: #"{"type":"presented","presentation_token":"forged"}"#)
        #expect(alone.status == 403)
    }

    @Test(
        "a member of an event that is wrong is told what it must be",
        arguments: [
            (#""presentation_token":7"#, "presentation_token", "must be a string, the token of an ad, not a number"),
            (#""presentation_token":null"#, "presentation_token", "is required"),
            (#""presentation_token":"""#, "presentation_token", "is required"),
            (#""presentation_token":"t","user_id":7"#, "user_id", "must be a string, not a number"),
            (#""presentation_token":"t","custom_data":{}"#, "custom_data", "must be a string, not an object"),
        ]
    )
    func wrongTypes(members: String, path: String, message: String) async throws {
        let body = "{\"type\":\"presented\",\(members)}"
        let answer = await House().ask("POST", "/v1/events", body: body)
        #expect(answer.status == 400)
        #expect(try answer.json()["errors"] == [["path": .string(path), "message": .string(message)]])
    }

    @Test("without a publisher's address a reward is not told again: 409 names the key, and what is unknown stays 404")
    func redelivery() async throws {
        let house = await coins()
        let token = JSONValue.string(try await token(house))
        let event = try await post(house, ["type": "earned_reward", "presentation_token": token])
        let grant = try #require(event["grant_id"]?.string)
        let answer = await house.ask("POST", "/v1/rewards/\(grant)/redeliver", on: .admin)
        #expect(answer.status == 409)
        #expect(try answer.json()["code"]?.string == "no_publisher_callback")
        #expect(try answer.json()["detail"]?.string?.contains("rewards.publisher_callback_url") == true)
        #expect(await house.ask("POST", "/v1/rewards/nobody/redeliver", on: .admin).status == 404)
        let kept = try await house.ask("GET", "/v1/rewards/\(grant)", on: .admin).json()
        #expect(kept["delivery"]?["state"]?.string != "waiting")
    }
}

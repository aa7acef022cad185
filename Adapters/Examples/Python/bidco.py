"""The adapter of the network BidCo, in Python: see README.md for what the network speaks."""

import json

from weir_adapter import Refusal, SetUpFailed, fill, no_fill, run


class BidCo:
    version = "1.0.0"
    formats = ["video"]

    def set_up(self, settings):
        self.url = settings.get("url", "")
        self.seat = settings.get("seat")
        if not self.url.startswith(("http://", "https://")):
            raise SetUpFailed("settings.url is no address", "Set settings.url in the network's entry.", retryable=False)

    def make_requests(self, ask):
        device = ask.get("device", {})
        if "ip" not in device:
            raise Refusal("skipped", "missing_field", "BidCo needs the device's address.")
        body = {
            "unit": ask["network_unit"],
            "ip": device["ip"],
            "ua": device.get("ua"),
            "test": ask["test"],
            "floor": ask.get("floor"),
            "seat": self.seat,
        }
        return {
            "method": "POST",
            "url": self.url,
            "headers": {"Content-Type": "application/json"},
            "body": json.dumps(body),
        }

    def outcome(self, ask, replies):
        # Weir has judged 204, empty bodies, redirects and errors already.
        try:
            answer = json.loads(replies[0].get("body", ""))
        except ValueError:
            answer = None
        if isinstance(answer, dict) and "error" in answer:
            raise Refusal("network_error", "network_reported", "BidCo reported an error.", words=answer["error"])
        bids = answer.get("bids") if isinstance(answer, dict) else None
        if not isinstance(bids, list) or not all(isinstance(bid, dict) for bid in bids):
            raise Refusal("bad_response", "bad_json", "BidCo's answer is not the JSON that it promises.")
        if not bids:
            return no_fill("no_bid", "BidCo has no bid.")
        return fill(*(self.offer(bid) for bid in bids))

    def offer(self, bid):
        # Weir itself refuses an offer without markup, and a price that is none.
        price = {"amount": bid.get("cpm"), "currency": bid.get("currency")}
        return {"id": bid.get("id"), "vast": bid.get("vast"), "price": price}


run(BidCo())

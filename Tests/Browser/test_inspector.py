"""The inspector in headless Chromium, against `weir demo`: what an operator reads, and what a network cannot do to it.

Run by `make test-browser`. WEIR names the executable, SHOTS where screenshots are kept.
"""

import json
import time
import unittest
import urllib.request

import test_player


class InspectorTest(unittest.TestCase):
    """The demo, the browser and the helpers are those of the player's test."""

    @classmethod
    def setUpClass(cls):
        cls.stage = test_player.PlayerTest()
        test_player.PlayerTest.setUpClass()

    @classmethod
    def tearDownClass(cls):
        test_player.PlayerTest.tearDownClass()

    def ask(self, placement):
        body = json.dumps({"placement": placement, "user": {"id": "u-7"}}).encode()
        call = urllib.request.Request(self.stage.url("/v1/ads"), body, {"Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(call))

    def open(self, view):
        self.stage.browser.get(self.stage.url("/", 1) + f"#{view}")
        # The same page with another fragment is not loaded again; each test begins anew.
        self.stage.browser.refresh()
        self.stage.wait_for(lambda: self.stage.element(view).is_displayed(), f"{view} is shown")

    def rows(self, identifier):
        return self.stage.script(
            "return [...document.getElementById(arguments[0]).children].map(row => row.innerText)", identifier
        )

    def test_networks_and_alarms(self):
        stage = self.stage
        self.open("networks")
        stage.wait_for(lambda: len(self.rows("network-rows")) > 4, "the networks are listed")
        self.assertIn("networks ready", stage.element("ready").text)
        self.assertTrue(any("filmco" in row and "ready" in row for row in self.rows("network-rows")))
        self.assertIn("Nothing is wrong", stage.element("alarms").text)
        stage.shot("inspector-networks")

    def test_a_network_is_disabled_and_enabled_again(self):
        stage = self.stage
        self.open("networks")

        def press(name):
            stage.script(
                "[...document.querySelectorAll('#network-rows tr')].find(row => row.innerText.includes('dryco'))"
                ".querySelectorAll('button').forEach(button => { if (button.innerText === arguments[0]) button.click() })",
                name,
            )

        def state():
            return next(row for row in self.rows("network-rows") if "dryco" in row)

        stage.wait_for(state, "the network is listed")
        press("Disable")
        stage.wait_for(lambda: "disabled" in state(), "it is disabled")
        press("Enable")
        stage.wait_for(lambda: "ready" in state(), "it is ready again")

    def test_a_waterfall_is_drawn(self):
        stage = self.stage
        answer = self.ask("movie_preroll")
        self.open("requests")
        stage.wait_for(lambda: "movie_preroll" in " ".join(self.rows("request-rows")), "the request is listed")
        stage.script(
            "[...document.querySelectorAll('#request-rows tr')].find(row => row.innerText.includes('movie_preroll')).click()"
        )
        stage.wait_for(lambda: len(self.rows("falls")) == len(answer["attempts"]) + 1, "every line item has its row")
        rows = self.rows("falls")
        for attempt, row in zip(answer["attempts"], rows[1:]):
            self.assertIn(attempt["line_item"], row)
            self.assertIn(attempt["reason"].replace("_", " "), row)
        asked = sum(attempt["start_ms"] is not None for attempt in answer["attempts"])
        self.assertEqual(stage.script("return document.querySelectorAll('#falls .lane i').length"), asked)
        stage.shot("inspector-waterfall")

    def test_a_plan_is_explained(self):
        stage = self.stage
        self.open("explain")
        stage.script("document.getElementById('explain-body').value = '{\"placement\": \"movie_preroll\"}'")
        stage.script("document.querySelector('#explain-form button').click()")
        stage.wait_for(lambda: len(self.rows("plan")) > 2, "the plan is shown")
        self.assertIn("ask", self.rows("plan")[1])
        stage.script("document.getElementById('explain-body').value = '{\"placement\": 7}'")
        stage.script("document.querySelector('#explain-form button').click()")
        stage.wait_for(lambda: "placement" in stage.element("trouble").text, "what is wrong is named")
        # Two rounds later it can still be read.
        time.sleep(5)
        self.assertIn("placement", stage.element("trouble").text)
        stage.shot("inspector-explain")

    def test_rewards_and_configuration(self):
        stage = self.stage
        token = self.ask("level_end")["ad"]["presentation_token"]
        body = json.dumps({"type": "earned_reward", "presentation_token": token}).encode()
        call = urllib.request.Request(stage.url("/v1/events"), body, {"Content-Type": "application/json"})
        self.assertEqual(json.load(urllib.request.urlopen(call))["state"], "granted")
        self.open("rewards")
        stage.wait_for(lambda: "u-7" in " ".join(self.rows("reward-rows")), "the reward is listed")
        stage.script("document.querySelector('#reward-rows tr').click()")
        stage.wait_for(lambda: "transaction_id" in stage.element("reward-detail").text, "its history is shown")
        stage.shot("inspector-rewards")
        self.open("configuration")
        stage.wait_for(lambda: "networks" in stage.element("config-text").text, "the configuration is shown")

    def test_words_stay_words(self):
        """Whatever a network or client sends is text on this page."""
        stage = self.stage
        self.open("networks")
        stage.script("window.hacked = 0")
        evil = "<img src=x onerror='window.hacked = 1'>"
        stage.script(
            "at('falls').replaceChildren(fall({line_item: arguments[0], network: arguments[0], result: 'crash', reason: 'exit',"
            "message: arguments[0], network_message: arguments[0], start_ms: 1, latency_ms: 2}, 3))", evil,
        )
        self.assertEqual(stage.script("return document.querySelectorAll('#falls img').length"), 0)
        self.assertEqual(stage.script("return window.hacked"), 0)
        self.assertFalse(stage.script("return fetch('http://127.0.0.1:9/').then(() => true, () => false)"))


if __name__ == "__main__":
    unittest.main(verbosity=2, defaultTest="InspectorTest")

"""The web radio in headless Chromium, against `weir demo`: music and ads never together, sections, companion, time left.

Run by `make test-browser`. WEIR names the executable, SHOTS where screenshots are kept.
"""

import unittest

import test_player


class RadioTest(unittest.TestCase):
    """What the radio promises; the demo, the browser and the helpers are those of the player's test."""

    @classmethod
    def setUpClass(cls):
        cls.stage = test_player.PlayerTest()
        test_player.PlayerTest.setUpClass()

    @classmethod
    def tearDownClass(cls):
        test_player.PlayerTest.tearDownClass()

    def play(self, query=""):
        self.stage.browser.get(self.stage.url("/radio" + query))
        self.stage.reset_hits()
        self.stage.element("begin").click()

    def until_the_end(self):
        self.stage.wait_for(lambda: self.stage.script("return radio.done"), "the song and its ads are over")

    def test_music_and_ads_take_turns(self):
        """S4.1 S4.2 S4.3: pre-roll, two mid-rolls of which one has no ads, post-roll."""
        stage = self.stage
        self.play()
        stage.wait_for(lambda: stage.element("picture").is_displayed(), "the companion is shown")
        stage.shot("radio-preroll")
        # By script: a real click would also open the advertiser's page over this one.
        stage.script("window.open = () => {}; document.getElementById('companion').click()")
        self.until_the_end()
        types = stage.script("return radio.outputs.map(output => output.type)")
        sections = stage.script(
            "return radio.outputs.filter(one => one.type === 'section_complete').map(one => one.section)"
        )
        self.assertEqual(sections, ["preroll", "midroll", "postroll"])
        self.assertEqual(stage.script("return radio.points"), [60000])
        self.assertEqual(stage.script("return radio.overlaps"), 0)
        self.assertEqual(types.count("content_pause_requested"), types.count("content_resume_requested"))
        self.assertEqual((types.count("banner_start"), types.count("banner_complete")), (3, 3))
        self.assertNotIn("error", types)
        left = stage.script("return radio.left")
        self.assertEqual(left.count(0), 3)
        for before, after in zip(left, left[1:]):
            self.assertTrue(after < before or before == 0, left)
        self.assertEqual(stage.script("return radio.clicked"), 1)
        stage.wait_for(lambda: len(stage.hits("/t/companionClick")) == 1, "the click is tracked once")
        stage.wait_for(lambda: len(stage.hits("/t/creativeView")) == 3, "each companion's view is tracked once")
        self.assertEqual(len(stage.hits("/t/complete")), 3)
        stage.shot("radio-end")

    def test_a_dead_network_never_blocks_the_music(self):
        self.play("?placement=nowhere")
        self.until_the_end()
        self.assertEqual(self.stage.script("return radio.outputs.length"), 0)

    def test_ads_can_be_skipped_all_at_once(self):
        self.play()
        self.stage.wait_for(lambda: self.stage.element("ad-panel").is_displayed(), "an ad is heard")
        self.stage.script("session && send({ type: 'stop' })")
        self.until_the_end()
        self.assertEqual(self.stage.script("return radio.overlaps"), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2, defaultTest="RadioTest")

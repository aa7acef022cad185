"""The audio tab of the web player in headless Chromium, against `weir demo`: music and ads never together, sections,
companion, time left, dead networks.

Run by `make test-browser`. WEIR names the executable, SHOTS where screenshots are kept.
"""

import time
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

    def play(self, placement="morning_radio", watches=False):
        self.stage.browser.get(self.stage.url(f"/player?tab=audio&placement={placement}"))
        self.stage.reset_hits()
        if watches:
            self.stage.watch_for_overlaps()
            # What can be read of the time left, as it changes.
            self.stage.script("""
                window.texts = [];
                const left = document.getElementById("radio-left");
                new MutationObserver(() => texts.push(left.textContent)).observe(left, { childList: true });
            """)
        self.stage.element("radio-begin").click()

    def until_the_end(self):
        self.stage.wait_for(lambda: self.stage.script("return radio.done"), "the song and its ads are over")

    def types(self):
        return self.stage.script("return radio.outputs.map(output => output.type)")

    def close_other_windows(self):
        """A click opens the advertiser's page in a tab of its own."""
        browser = self.stage.browser
        for handle in browser.window_handles[1:]:
            browser.switch_to.window(handle)
            browser.close()
        browser.switch_to.window(browser.window_handles[0])

    def test_music_and_ads_take_turns(self):
        """S4.1 S4.2 S4.3: pre-roll, two mid-rolls of which one has no ads, post-roll."""
        stage = self.stage
        self.play(watches=True)
        stage.wait_for(lambda: stage.element("radio-picture").is_displayed(), "the companion is shown")
        self.assertTrue(stage.script("return document.getElementById('radio-picture').naturalWidth"))
        stage.shot("radio-preroll-1440")
        # The companion is pressed twice, by a real click each: it is tracked once, and leads on twice.
        for count in [1, 2]:
            stage.element("radio-companion").click()
            stage.wait_for(lambda: stage.script("return radio.opened.length") == count, "the page is opened")
            self.close_other_windows()
        self.until_the_end()
        types = self.types()
        sections = stage.script(
            "return radio.outputs.filter(one => one.type === 'section_complete').map(one => one.section)"
        )
        self.assertEqual(sections, ["preroll", "midroll", "postroll"])
        # Asked for at 60 s and 90 s; the network has ads for one of them.
        self.assertEqual(stage.script("return radio.points"), [60000])
        self.assertEqual(stage.script("return radio.overlaps"), 0)
        stage.assert_no_overlap()
        self.assertEqual(types.count("content_pause_requested"), types.count("content_resume_requested"))
        self.assertEqual((types.count("banner_start"), types.count("banner_complete")), (3, 3))
        self.assertNotIn("error", types)
        self.assertNotIn("refused", types)
        left = stage.script("return radio.left")
        self.assertEqual(left.count(0), 3)
        for before, after in zip(left, left[1:]):
            self.assertTrue(after < before or before == 0, left)
        # What a listener reads falls second by second to nothing, for each of the three ads.
        texts = [text for text in stage.script("return texts") if text]
        self.assertEqual(texts.count("0 s left"), 3, texts)
        self.assertIn("3 s left", texts)
        self.assertEqual(stage.script("return radio.clicked"), 2)
        stage.wait_for(lambda: len(stage.hits("/t/companionClick")) >= 1, "the click is tracked")
        stage.wait_for(lambda: len(stage.hits("/t/creativeView")) >= 3, "each companion's view is tracked")
        stage.wait_for(lambda: len(stage.hits("/t/complete")) >= 3, "each ad's end is tracked")
        # One that were sent twice would come late.
        time.sleep(1.5)
        hits = stage.hits()
        self.assertEqual(len(hits), len(set(hits)), hits)
        self.assertEqual(len([hit for hit in hits if hit.startswith("/t/companionClick")]), 1)
        self.assertEqual(len([hit for hit in hits if hit.startswith("/t/creativeView")]), 3, hits)
        self.assertEqual(len([hit for hit in hits if hit.startswith("/t/impression")]), 3, hits)
        stage.shot("radio-end-1440")

    def test_a_network_that_refuses_connections_never_blocks_the_music(self):
        self.play("radio_refused")
        self.until_the_end()
        self.assertEqual([kind for kind in self.types() if kind not in ["load_failed", "no_ad", "content_resume_requested"]], [])
        self.assertIn("without ads", self.stage.element("radio-notice").text)
        self.assertLess(self.stage.script("return radio.waits[0]"), 1500)
        self.stage.shot("radio-refused-1440")

    def test_a_network_that_never_answers_blocks_the_music_for_its_timeout_and_no_longer(self):
        self.play("radio_hangs")
        self.until_the_end()
        self.assertIn("without ads", self.stage.element("radio-notice").text)
        # The line's own timeout is a second, the whole answer's 1.5 s.
        waited = self.stage.script("return radio.waits[0]")
        self.assertGreater(waited, 700)
        self.assertLess(waited, 6000)
        self.assertEqual(self.stage.script("return radio.overlaps"), 0)

    def test_an_unknown_placement_never_blocks_the_music(self):
        self.play("nowhere")
        self.until_the_end()
        self.assertEqual(self.types(), [])

    def test_ads_can_be_skipped_and_paused(self):
        self.play()
        stage = self.stage
        stage.wait_for(lambda: stage.element("radio-ad").is_displayed(), "an ad is heard")
        if stage.element("radio-pause").is_enabled():
            stage.element("radio-pause").click()
            stage.wait_for(lambda: "pause_ad" in self.types(), "the ad is paused")
            stage.wait_for(lambda: stage.element("radio-pause").text == "Go on", "it can go on")
            stage.element("radio-pause").click()
            stage.wait_for(lambda: "resume_ad" in self.types(), "the ad goes on")
        stage.wait_for(lambda: stage.element("radio-skip-all").is_enabled(), "the ad may be skipped")
        stage.element("radio-skip-all").click()
        self.until_the_end()
        self.assertEqual(stage.script("return radio.overlaps"), 0)
        self.assertLess(self.types().count("banner_complete"), 3 + self.types().count("banner_start"))

    def test_the_tab_is_found_by_keyboard_and_by_its_old_address(self):
        stage = self.stage
        stage.browser.get(stage.url("/radio"))
        self.assertTrue(stage.browser.current_url.endswith("/player?tab=audio"))
        self.assertTrue(stage.element("audio-panel").is_displayed())
        self.assertFalse(stage.element("video-panel").is_displayed())
        stage.element("tab-audio").send_keys(test_player.Keys.ARROW_LEFT)
        self.assertTrue(stage.element("video-panel").is_displayed())
        self.assertEqual(stage.element("tab-video").get_attribute("aria-selected"), "true")

    def test_it_fits_a_telephone_and_a_desk(self):
        stage = self.stage
        for width, height in [(360, 800), (1440, 1000)]:
            stage.browser.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
            )
            self.play()
            stage.wait_for(lambda: stage.element("radio-picture").is_displayed(), "the companion is shown")
            overflow = stage.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            self.assertLessEqual(overflow, 0, f"{width} px scroll sideways")
            small = stage.script(
                "return [...document.querySelectorAll('button')].filter(b => b.offsetParent)"
                ".map(b => [b.id, b.getBoundingClientRect().height]).filter(b => b[1] < 44)"
            )
            self.assertEqual(small, [])
            stage.shot(f"radio-fits-{width}")
        stage.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


if __name__ == "__main__":
    unittest.main(verbosity=2, defaultTest="RadioTest")

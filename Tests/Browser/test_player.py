"""The web player in headless Chromium, against `weir demo`: what a viewer sees, and what the networks hear.

Run by `make test-browser`. WEIR names the executable, SHOTS where screenshots are kept.
"""

import json
import os
import socket
import subprocess
import time
import unittest
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

WEIR = os.environ.get("WEIR", ".build/release/weir")
SHOTS = os.environ.get("SHOTS", ".build/browser")
PATIENCE = float(os.environ.get("PATIENCE", "60"))


def free_port():
    """Three ports in a row that nobody uses."""
    for _ in range(100):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        try:
            held = [socket.socket() for _ in range(3)]
            for offset, each in enumerate(held):
                each.bind(("127.0.0.1", port + offset))
            return port
        except (OSError, OverflowError):
            continue
        finally:
            for each in held:
                each.close()
    raise RuntimeError("no three free ports in a row")


class PlayerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(SHOTS, exist_ok=True)
        cls.port = free_port()
        cls.demo = subprocess.Popen(
            [WEIR, "demo", "--port", str(cls.port)], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
        )
        cls.wait_for(lambda: urllib.request.urlopen(cls.url("/readyz")).status == 200, "the demo is ready")
        options = webdriver.ChromeOptions()
        for argument in [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--mute-audio",
            "--autoplay-policy=no-user-gesture-required", "--window-size=1440,1000", "--disable-gpu",
        ]:
            options.add_argument(argument)
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        cls.browser = webdriver.Chrome(
            options=options, service=Service(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
        )
        cls.browser.set_script_timeout(PATIENCE)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.demo.terminate()
        cls.demo.wait(timeout=30)

    # What every test needs.

    @classmethod
    def url(cls, path, offset=0):
        return f"http://127.0.0.1:{cls.port + offset}{path}"

    @staticmethod
    def wait_for(condition, what, patience=PATIENCE):
        """Waits until `condition` holds; errors on the way count as not yet."""
        end = time.monotonic() + patience
        while True:
            try:
                value = condition()
                if value:
                    return value
            except Exception:
                pass
            if time.monotonic() > end:
                raise AssertionError(f"waited {patience} s in vain until {what}")
            time.sleep(0.1)

    def open(self, placement, disable_ui=True, begin=True):
        self.browser.get(self.url(f"/player?placement={placement}"))
        self.wait_for(lambda: self.script("return content.readyState >= 1"), "the content is loaded")
        if self.element("disable-ui").is_selected() != disable_ui:
            self.element("disable-ui").click()
        self.reset_hits()
        if begin:
            self.element("begin").click()

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def element(self, identifier):
        return self.browser.find_element(By.ID, identifier)

    def types(self):
        return self.script("return weir.outputs.map(output => output.type)")

    def until(self, output, count=1, patience=PATIENCE):
        self.wait_for(
            lambda: self.types().count(output) >= count, f"{output} came {count} times, after {self.types()[-8:]}", patience
        )

    def position(self):
        return self.script("return content.currentTime")

    def watch_for_overlaps(self):
        """Looks every 10 ms, independent of the page, whether two of its players make progress at once."""
        self.script("""
            const players = new Set(document.querySelectorAll("video, audio"));
            const play = HTMLMediaElement.prototype.play;
            HTMLMediaElement.prototype.play = function () { players.add(this); return play.call(this); };
            const sounding = player => !player.paused && !player.ended && player.readyState > 2 && player.hasAttribute("src");
            window.overlap = { looks: 0, most: 0, heard: 0, moved: [] };
            setInterval(() => {
              const now = [...players].filter(sounding).length;
              overlap.looks += 1; overlap.heard += now > 0; overlap.most = Math.max(overlap.most, now);
            }, 10);
        """)

    def assert_no_overlap(self):
        overlap = self.script("return overlap")
        self.assertGreater(overlap["heard"], 50, overlap)
        self.assertEqual(overlap["most"], 1, overlap)

    def shot(self, name):
        self.browser.save_screenshot(os.path.join(SHOTS, f"{name}.png"))

    def reset_hits(self):
        request = urllib.request.Request(self.url("/_hits", 2), method="DELETE")
        urllib.request.urlopen(request)

    def hits(self, prefix="/t/"):
        listing = json.load(urllib.request.urlopen(self.url("/_hits", 2)))
        paths = [
            hit["path"] + "?" + "&".join(f"{name}={value}" for name, value in sorted(hit.get("query", {}).items()))
            for hit in listing["hits"]
        ]
        return [path for path in paths if path.startswith(prefix)]

    # What is promised.

    def test_preroll_plays_to_its_end_and_content_resumes_where_it_was(self):
        self.open("movie_custom_ui", begin=False)
        self.watch_for_overlaps()
        self.element("begin").click()
        self.until("started")
        self.wait_for(lambda: "Ad (" in self.element("countdown").text, "the countdown counts")
        self.assertTrue(self.element("surface").is_displayed())
        self.shot("preroll-custom-ui-1440")
        self.until("complete")
        self.until("content_resume_requested")
        positions = self.script("return weir.positions")
        self.assertEqual([kind for kind, _ in positions], ["pause", "resume"])
        self.assertEqual(positions[0][1], positions[1][1])
        self.wait_for(lambda: self.position() > positions[1][1] + 0.5, "the content plays on")
        self.assertFalse(self.element("surface").is_displayed())
        self.assert_no_overlap()

    def test_skip_works_only_after_its_time(self):
        self.open("movie_custom_ui")
        self.until("started")
        self.wait_for(lambda: self.element("skip").text.startswith("Skip this ad in"), "the skip button counts")
        self.assertFalse(self.element("skip").is_enabled())
        self.script("session.send('skip')")
        self.until("refused")
        self.assertNotIn("skipped", self.types())
        self.wait_for(lambda: self.element("skip").is_enabled(), "the skip button is enabled")
        self.assertEqual(self.element("skip").text, "Skip ad")
        # The document says skipoffset="00:00:03".
        self.assertGreaterEqual(self.script("return ad.currentTime"), 2.9)
        self.element("skip").click()
        self.until("skipped")
        self.until("content_resume_requested")
        self.assertNotIn("complete", self.types())

    def test_an_ad_that_needs_its_own_controls_hides_the_custom_ones(self):
        self.open("movie_preroll")
        self.until("started")
        self.wait_for(lambda: self.element("ad-ui").is_displayed(), "the ad's own controls are shown")
        self.assertFalse(self.element("custom-ui").is_displayed())
        self.shot("preroll-own-ui-1440")

    def test_a_schedule_plays_preroll_midroll_and_postroll(self):
        self.open("movie", begin=False)
        self.watch_for_overlaps()
        self.element("begin").click()
        for number in range(1, 4):
            self.until("started", number)
            self.until("complete", number)
            if number == 1:
                self.until("content_resume_requested")
                self.script("content.currentTime = 8.5")
            if number == 2:
                self.until("content_resume_requested", 2)
                self.script("content.currentTime = content.duration - 1")
        self.until("all_ads_completed")
        self.shot("schedule-done-1440")
        offsets = self.script(
            "return weir.outputs.filter(o => o.type === 'ad_break_started').map(o => o.ad_break.time_offset_ms)"
        )
        self.assertEqual(offsets, [0, 10000, -1])
        # The content was asked to wait and to go on in turn, and stood still in between: the mid-roll's turn is the
        # one that shows it, in the middle of the content.
        positions = self.script("return weir.positions")
        self.assertEqual([kind for kind, _ in positions], ["pause", "resume"] * 3)
        self.assertEqual(positions[2][1], positions[3][1])
        self.assertTrue(10 <= positions[2][1] < 12, positions)
        self.assert_no_overlap()
        # Every beacon reached its network exactly once, and the page shows the fate of each.
        self.wait_for(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#beacons td.sent")) >= 24, "fates")
        # One that were sent twice would come late.
        time.sleep(1.5)
        hits = self.hits()
        self.assertEqual(len(hits), 24, hits)
        self.assertEqual(len(hits), len(set(hits)), hits)
        for place in ["preroll", "midroll-1", "postroll"]:
            for event in ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]:
                self.assertEqual(
                    len([hit for hit in hits if hit.startswith(f"/t/{event}?") and f"break={place}" in hit]), 1, (event, place)
                )
            for event in ["breakStart", "breakEnd"]:
                self.assertEqual(len([hit for hit in hits if hit == f"/t/{event}?break={place}"]), 1, (event, place))

    def test_a_midroll_waits_for_the_end_of_picture_in_picture(self):
        self.open("movie")
        self.until("complete")
        self.until("content_resume_requested")
        # The button, pressed by the driver: that is the gesture which the browser wants before it opens the window.
        self.element("pip").click()
        try:
            self.wait_for(lambda: self.script("return document.pictureInPictureElement === content"), "the window", 10)
            way = "the browser's own requestPictureInPicture, by a click on the button"
        except AssertionError:
            # A browser without a window manager may refuse; the page listens to the events either way.
            way = f"simulated events, because the browser refused: {self.element('notice').text!r}"
            self.script("content.dispatchEvent(new Event('enterpictureinpicture'))")
        entered = way.startswith("the browser")
        print(f"\npicture-in-picture entered by {way}", flush=True)
        if os.environ.get("REQUIRE_PIP"):
            self.assertTrue(entered, way)
        self.wait_for(lambda: self.script("return inPIP"), "picture-in-picture is on")
        self.script("content.currentTime = 9.5")
        self.until("ad_break_ready", 2)
        before = self.position()
        self.wait_for(lambda: self.position() > before + 1, "the content plays on in picture-in-picture")
        self.assertEqual(self.types().count("started"), 1)
        # As long as the window is open, the mid-roll waits.
        time.sleep(2)
        self.assertEqual(self.types().count("started"), 1)
        self.assertEqual(self.types().count("ad_break_started"), 1)
        self.shot("midroll-waits-in-pip-1440")
        self.browser.execute_async_script(
            "const done = arguments[0];"
            + (
                "document.exitPictureInPicture().then(() => done());"
                if entered
                else "content.dispatchEvent(new Event('leavepictureinpicture')); done();"
            )
        )
        self.until("started", 2)
        self.until("complete", 2)

    def test_a_dead_ad_server_never_blocks_the_content(self):
        began = time.monotonic()
        self.open("movie_dead")
        self.until("load_failed", patience=20)
        self.wait_for(lambda: self.position() > 0.5, "the content plays")
        # The placement's whole answer has 1.5 s.
        self.assertLess(time.monotonic() - began, 12)
        self.assertIn("without ads", self.element("notice").text)
        self.shot("dead-ad-server-1440")

    def test_dead_media_never_blocks_the_content(self):
        self.open("movie_custom_ui", begin=False)
        self.script("HTMLMediaElement.prototype.play = (play => function () {"
                    " if (this === ad) { this.src = '/nothing.mp4'; } return play.call(this); })(HTMLMediaElement.prototype.play)")
        self.element("begin").click()
        self.until("ad_error", patience=30)
        self.wait_for(lambda: self.position() > 0.5, "the content plays")

    def test_keyboard_alone_starts_skips_and_learns_more(self):
        self.open("movie_custom_ui", begin=False)
        self.element("begin").send_keys(Keys.ENTER)
        self.until("started")
        self.wait_for(lambda: self.element("learn-more").is_displayed(), "Learn more is shown")
        self.element("learn-more").send_keys(Keys.SPACE)
        self.until("clicked")
        self.until("paused")
        self.browser.switch_to.window(self.browser.window_handles[0])
        self.script("session.send('tapped')")
        self.until("resumed")
        self.wait_for(lambda: self.element("skip").is_enabled(), "the skip button is enabled")
        self.element("skip").send_keys(Keys.ENTER)
        self.until("skipped")
        self.assertEqual(len(self.hits("/t/click")), 1)
        for handle in self.browser.window_handles[1:]:
            self.browser.switch_to.window(handle)
            self.browser.close()
        self.browser.switch_to.window(self.browser.window_handles[0])

    def test_everything_that_can_be_used_has_a_name(self):
        self.open("movie_custom_ui")
        self.until("started")
        nameless = self.script(
            "return [...document.querySelectorAll('button, input, select, video, [role]')]"
            ".filter(e => !e.closest('[hidden]')).filter(e => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby')"
            " || e.textContent.trim() || (e.labels && e.labels.length))).map(e => e.outerHTML)"
        )
        self.assertEqual([each for each in nameless if 'role="status"' not in each and 'role="log"' not in each], [])
        self.assertEqual(self.script("return document.documentElement.lang"), "en")

    def test_it_fits_a_telephone_and_a_desk(self):
        for width, height in [(360, 800), (768, 1024), (1440, 1000)]:
            self.browser.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
            )
            for scheme in ["light", "dark"]:
                self.browser.execute_cdp_cmd(
                    "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
                )
                self.open("movie_custom_ui")
                self.until("started")
                self.wait_for(lambda: "Ad (" in self.element("countdown").text, "the countdown counts")
                overflow = self.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
                self.assertLessEqual(overflow, 0, f"{width} px scroll sideways")
                small = self.script(
                    "return [...document.querySelectorAll('button')].filter(b => b.offsetParent)"
                    ".map(b => [b.id, b.getBoundingClientRect().height]).filter(b => b[1] < 44)"
                )
                self.assertEqual(small, [])
                cut = self.script(
                    "return [...document.querySelectorAll('main button, main select, main input, main video')].filter(e => {"
                    " const own = e.getBoundingClientRect(), frame = e.closest('.panel').getBoundingClientRect();"
                    " return e.offsetParent && (own.left < frame.left || own.right > frame.right + 1); }).map(e => e.id)"
                )
                self.assertEqual(cut, [])
                self.shot(f"fits-{width}-{scheme}")
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


if __name__ == "__main__":
    unittest.main(verbosity=2)

#!/usr/bin/env python3
"""Exactly once under fire: views and callbacks over two gateways of one database, killed again and again.

usage: fire.py PATH_OF_WEIR [VIEWS] [KILL_EVERY_SECONDS]

Every view gets a rewarded ad, then its network's callback is sent one to six times, in parallel, to either gateway,
until it was answered 200 at least once. All the while one gateway after the other is killed (SIGKILL) and started
again. At the end every view must be granted once and delivered at least once, under one transaction id.
Needs nothing but Python's standard library.
"""

import collections
import hashlib
import http.client
import http.server
import json
import os
import queue
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

WEIR = os.path.abspath(sys.argv[1])
VIEWS = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
PAUSE = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
SECRET = "fire-key"
VAST = (
    '<VAST version="4.2"><Ad id="1"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><AdServingId>s</AdServingId>'
    "<Impression>https://n.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:05</Duration><MediaFiles>"
    '<MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://n.test/v.mp4</MediaFile>'
    "</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
)

delivered = collections.defaultdict(list)  # view's number -> transaction ids, one for each delivery
lock = threading.Lock()


class World(http.server.BaseHTTPRequestHandler):
    """The ad network (fills always, tells the nonce) and the publisher's server (takes one callback in four)."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
        status, body = 200, b""
        if address.path == "/load":
            # The advertiser's field carries the nonce back to this program, as an SDK would carry it to its server.
            body = VAST.replace("<AdTitle>t", "<AdTitle>" + query["c"]).encode()
        else:
            if random.random() < 0.25:
                status = 500
            else:
                with lock:
                    delivered[query["custom_data"]].append(query["transaction_id"])
        self.send_response(status)
        if body:
            self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """A killed gateway's connections break: nothing to tell."""

    request_queue_size = 256

    def handle_error(self, *_):
        pass


class Gateway:
    """One process, started again by whoever killed it."""

    def __init__(self, folder, number):
        self.folder, self.number, self.port, self.kills = folder, number, 0, 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [WEIR, "serve", "--config", "weir.json"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        # A network that answers at once may be ready before the listeners are open.
        port, ready = 0, False
        for line in self.process.stdout:
            if b'"serve.started"' in line:
                port = int(json.loads(line)["listen"].rsplit(":", 1)[1])
            ready = ready or b'"initialization.complete"' in line
            if port and ready:
                break
        if not (port and ready):
            raise SystemExit(f"gateway {self.number} did not start")
        self.port = port
        threading.Thread(target=self.drain, args=(self.process,), daemon=True).start()

    @staticmethod
    def drain(process):
        for _ in process.stdout:
            pass

    def kill(self):
        self.port = 0
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1
        self.start()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def ask(gateways, method, path, body=None):
    """One request to either gateway; None when it went down with it."""
    port = random.choice(gateways).port
    if not port:
        time.sleep(0.01)
        return None
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, data
    except (OSError, http.client.HTTPException):
        return None


def run():
    folder = tempfile.mkdtemp(prefix="weir-fire-")
    world = Server(("127.0.0.1", 0), World)
    threading.Thread(target=world.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{world.server_port}"
    configuration = {
        "server": {"listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "workers": 1},
        "storage": {"url": "sqlite:weir.db"},
        "environment": "production",
        "networks": [
            {"id": "n", "adapter": "rewarded", "allow_private": ["127.0.0.1"], "timeout_ms": 10000,
             "breaker": {"enabled": False}, "settings": {"load_url": base + "/load?c={custom_data}"}}
        ],
        "ad_units": [
            {"id": "coins", "format": "rewarded", "reward": {"item": "coins", "amount": "5"}, "reward_mode": "ssv",
             "timeout_ms": 10000, "waterfall": [{"id": "l", "network": "n", "network_unit": "u"}]}
        ],
        "placements": [{"id": "p", "ad_unit": "coins"}],
        "rewards": {
            "publisher_callback_url": base + "/publisher", "allow_private": ["127.0.0.1"],
            "delivery_timeout_ms": 2000, "retry_initial_ms": 200, "retry_max_ms": 2000,
            "callbacks": [{"network": "n", "scheme": "pangle", "secret": SECRET}],
        },
    }
    with open(os.path.join(folder, "weir.json"), "w") as file:
        json.dump(configuration, file)
    gateways = [Gateway(folder, 1), Gateway(folder, 2)]
    work, counts = queue.Queue(), collections.Counter()
    stop = threading.Event()

    def view(number):
        while True:
            request = {"placement": "p", "user": {"id": f"u{number}", "custom_data": f"view-{number}"}}
            answer = ask(gateways, "POST", "/v1/ads", json.dumps(request))
            if answer and answer[0] == 200:
                ad = json.loads(answer[1])["ad"]
                if ad:
                    break
        sign = hashlib.sha256(f"{SECRET}:t{number}".encode()).hexdigest()
        path = f"/v1/ssv/n?user_id=x&trans_id=t{number}&extra={urllib.parse.quote(ad['title'])}&sign={sign}"
        copies = random.randint(1, 6)
        answered = []

        def send():
            answer = ask(gateways, "GET", path)
            if answer:
                answered.append(answer[0])
                counts[f"callbacks answered {answer[0]}"] += 1
            else:
                counts["callbacks cut off by a kill"] += 1

        threads = [threading.Thread(target=send) for _ in range(copies)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        counts["callbacks sent"] += copies
        # A network sends again what was not answered.
        while 200 not in answered:
            counts["callbacks sent"] += 1
            send()

    def worker():
        while not stop.is_set():
            try:
                number = work.get_nowait()
            except queue.Empty:
                return
            view(number)

    for number in range(VIEWS):
        work.put(number)
    began = time.time()
    workers = [threading.Thread(target=worker) for _ in range(16)]
    for thread in workers:
        thread.start()

    def killer():
        turn = 0
        while any(thread.is_alive() for thread in workers):
            time.sleep(PAUSE)
            gateways[turn % 2].kill()
            turn += 1

    killing = threading.Thread(target=killer)
    killing.start()
    for thread in workers:
        thread.join()
    killing.join()
    fired = time.time() - began
    deadline = time.time() + 120
    while len(delivered) < VIEWS and time.time() < deadline:
        time.sleep(0.2)
    for gateway in gateways:
        gateway.end()

    database = sqlite3.connect(os.path.join(folder, "weir.db"))
    grants = dict(database.execute("SELECT custom_data, id FROM reward_grants WHERE state = 'granted'"))
    rows = database.execute("SELECT count(*), count(DISTINCT view) FROM reward_grants").fetchone()
    tries = database.execute("SELECT count(*) FROM reward_tries").fetchone()[0]
    good = database.execute("PRAGMA integrity_check").fetchone()[0]
    database.close()
    world.shutdown()
    shutil.rmtree(folder)

    names = {f"view-{number}" for number in range(VIEWS)}
    lost = names - set(grants)
    undelivered = names - set(delivered)
    mixed = [name for name, ids in delivered.items() if set(ids) != {grants.get(name)}]
    deliveries = sum(len(ids) for ids in delivered.values())
    print(f"views {VIEWS}, in {fired:.1f} s, kills {sum(g.kills for g in gateways)}")
    for name, count in sorted(counts.items()):
        print(f"{name} {count}")
    print(f"grants {rows[0]} for {rows[1]} views, delivery tries written {tries}, deliveries taken {deliveries}")
    print(f"lost {len(lost)}, granted twice {rows[0] - rows[1]}, undelivered {len(undelivered)}, "
          f"delivered under another transaction {len(mixed)}, database {good}")
    is_good = not lost and not undelivered and not mixed and rows == (VIEWS, VIEWS) and good == "ok"
    print("exactly once" if is_good else "NOT exactly once")
    return 0 if is_good else 1


sys.exit(run())

#!/usr/bin/env python3
"""Playback sessions under load: what 10,000 that say nothing weigh, and how 2,000 with an input a second are answered.

    Benchmarks/sessions.py [--idle 10000] [--busy 2000] [--seconds 30]      or: make bench-sessions

Needs a release build (`make build`) and Debian's `wrk`. The gateway and its network run on loopback. The network's
answers are those of Weir's sandbox, one ad and a schedule of three; as in life no two are the same: each URL that is
called carries a token of its own, so that nothing is gained by keeping equal documents once.
"""

import argparse
import http.client
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEIR = os.environ.get("WEIR", str(ROOT / ".build/release/weir"))
BOUND = 100 * 1024 * 1024
PATHS = {"one ad": "/video/custom", "a schedule of three": "/video/custom/vmap"}


class Network:
    """An ad server whose answers are alike but for a token in every tracker."""

    def __init__(self):
        sandbox = subprocess.Popen([WEIR, "sandbox", "--port", "0"], stdout=subprocess.PIPE, text=True)
        base = re.search(r"http://\S+:\d+", sandbox.stdout.readline()).group(0).rstrip(".,;")
        documents = {}
        for path in PATHS.values():
            text = urllib.request.urlopen(f"{base}{path}?unit=u&break=single").read().decode()
            # A schedule's breaks may lead to further documents of the sandbox: they come from here, too.
            text = re.sub(rf"({re.escape(base)}/t/[^\]<\"]*)", r"\1&amp;token=TOKEN" if "CDATA" not in text else r"\1&token=TOKEN", text)
            documents[path] = text
        self.sandbox = sandbox
        self.counter = 0
        lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body leave in two pieces; the second would wait 40 ms for the acknowledgement of the first.
            disable_nagle_algorithm = True

            def do_GET(self):
                with lock:
                    outer.counter += 1
                    token = f"{outer.counter:016x}{os.urandom(8).hex()}"
                body = documents[self.path.split("?")[0]].replace("TOKEN", token).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/xml")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        for path, text in documents.items():
            calls = text.count("TOKEN")
            print(f"network: {path}: {len(text)} bytes, {calls} URLs with a token")
            assert calls > 0

    def stop(self):
        self.server.shutdown()
        self.sandbox.terminate()
        self.sandbox.wait()


class Gateway:
    def __init__(self, network, path):
        self.folder = tempfile.TemporaryDirectory()
        file = pathlib.Path(self.folder.name) / "weir.json"
        file.write_text(json.dumps({
            "server": {"listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "max_connections": 20000,
                       "max_connections_per_address": 20000},
            "storage": {"url": f"sqlite:{self.folder.name}/weir.db"},
            "networks": [{"id": "net", "adapter": "vast", "allow_private": ["127.0.0.1"],
                          "settings": {"tag_url": network.base + path + "?unit={network_unit}"}}],
            "ad_units": [{"id": "unit", "format": "video", "timeout_ms": 5000,
                          "waterfall": [{"id": "line", "network": "net", "network_unit": "u"}]}],
            "placements": [{"id": "p", "ad_unit": "unit"}],
        }))
        self.process = subprocess.Popen([WEIR, "serve", "--config", str(file)], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True)
        self.port = None
        while self.port is None:
            line = self.process.stderr.readline()
            assert line, "the gateway did not start"
            if '"serve.started"' in line:
                self.port = int(json.loads(line)["listen"].rsplit(":", 1)[1])
        # Nobody reads the log any more; a full pipe would stop its writer.
        threading.Thread(target=lambda: [None for _ in self.process.stderr], daemon=True).start()
        time.sleep(1)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)

    def call(self, method, path, body=None):
        self.connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def opened(self, count):
        ids = []
        for _ in range(count):
            status, answer = self.call("POST", "/v1/sessions", {"placement": "p", "request": {"content": {"duration_ms": 3600000}}})
            assert status == 201 and answer["state"] == "loaded", answer
            ids.append(answer["session"])
        return ids

    def memory(self):
        """Resident bytes."""
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return int(re.search(r"^Rss:\s+(\d+)", text, re.M).group(1)) * 1024

    def cpu(self):
        """Seconds of processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def idle(network, name, path, count):
    gateway = Gateway(network, path)
    try:
        gateway.opened(200)
        before = gateway.memory()
        started = time.monotonic()
        gateway.opened(count)
        grown = gateway.memory() - before
        print(f"idle, {name}: {count} sessions grew by {grown / 1e6:.1f} MB ({grown / count / 1024:.2f} KiB each), "
              f"opened in {time.monotonic() - started:.1f} s one after the other; the process has {gateway.memory() / 1e6:.1f} MB")
        return grown * 10000 / count <= BOUND
    finally:
        gateway.stop()


def busy(network, count, seconds, burst):
    gateway = Gateway(network, PATHS["one ad"])
    name = "busy, all in the same moment" if burst else "busy"
    try:
        ids = gateway.opened(count)
        for session in ids:
            inputs = [{"type": kind} for kind in ["initialize", "start", "ad_started", "ad_completed"]]
            gateway.call("POST", f"/v1/sessions/{session}/inputs", {"inputs": inputs})
        listing = pathlib.Path(gateway.folder.name) / "sessions"
        listing.write_text("\n".join(ids) + "\n")
        before, started = gateway.cpu(), time.monotonic()
        run = subprocess.run(
            ["wrk", "-t1", f"-c{count}", f"-d{seconds}s", "--timeout", "10s", "-s", str(ROOT / "Benchmarks/sessions.lua"),
             f"http://127.0.0.1:{gateway.port}"],
            env={**os.environ, "SESSIONS": str(listing), "BURST": "1" if burst else "0"}, capture_output=True, text=True, check=True,
        )
        share = (gateway.cpu() - before) / (time.monotonic() - started)
        answered, wrong, broken, p50, p90, p99, most = re.search(r"RESULT (.*)", run.stdout).group(1).split()
        taken = sum(gateway.call("GET", f"/v1/sessions/{session}")[1]["client_seq"] for session in ids)
        # What was under way when the clock stopped is taken and its answer not counted, at most one for each session.
        lost = max(0, int(answered) - taken) + int(wrong) + int(broken)
        print(f"{name}: {count} sessions with an input a second for {seconds} s: {answered} answered, {taken} taken, lost={lost}")
        print(f"{name}: latency ms p50={p50} p90={p90} p99={p99} most={most}; CPU {share * 100:.0f} % of one core, "
              f"{share * seconds / max(1, int(answered)) * 1e6:.0f} us an input; load of the machine {os.getloadavg()[0]:.1f}")
        return lost == 0 and taken <= int(answered) + 2 * count
    finally:
        gateway.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--idle", type=int, default=10000)
    parser.add_argument("--busy", type=int, default=2000)
    parser.add_argument("--seconds", type=int, default=30)
    options = parser.parse_args()
    network = Network()
    try:
        fine = [idle(network, name, path, options.idle) for name, path in PATHS.items()] if options.idle else []
        if options.busy:
            fine += [busy(network, options.busy, options.seconds, burst) for burst in [False, True]]
    finally:
        network.stop()
    if not all(fine):
        sys.exit("A bound was not kept: 100 MB for 10,000 sessions, nothing lost.")


main()

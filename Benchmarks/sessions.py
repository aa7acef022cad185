#!/usr/bin/env python3
"""Playback sessions under load: what 10,000 that say nothing weigh, and how 2,000 with an input a second are answered.

    Benchmarks/sessions.py [--idle 10000] [--busy 2000] [--seconds 30]

Needs a release build (`make build`) and Debian's `wrk`. The gateway and its networks run on loopback.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEIR = os.environ.get("WEIR", str(ROOT / ".build/release/weir"))


def configuration(networks, folder):
    line = {"id": "line", "network": "net", "network_unit": "u"}
    return {
        "server": {"listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "max_connections": 20000,
                   "max_connections_per_address": 20000},
        "storage": {"url": f"sqlite:{folder}/weir.db"},
        "networks": [{"id": "net", "adapter": "vast", "allow_private": ["127.0.0.1"],
                      "settings": {"tag_url": networks + os.environ.get("TAG", "/video/custom/vmap") + "?unit={network_unit}"}}],
        "ad_units": [{"id": "unit", "format": "video", "timeout_ms": 5000, "waterfall": [line]}],
        "placements": [{"id": "p", "ad_unit": "unit"}],
    }


class Client:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def post(self, path, body):
        self.connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def get(self, path):
        self.connection.request("GET", path)
        return json.loads(self.connection.getresponse().read())


def memory(process):
    """Resident KiB, of which the process alone has them."""
    text = pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    return {name: int(re.search(rf"^{name}:\s+(\d+)", text, re.M).group(1)) for name in ["Rss", "Private_Dirty"]}


def opened(client, count):
    ids = []
    for _ in range(count):
        status, answer = client.post("/v1/sessions", {"placement": "p", "request": {"content": {"duration_ms": 3600000}}})
        assert status == 201 and answer["state"] == "loaded", answer
        ids.append(answer["session"])
    return ids


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--idle", type=int, default=10000)
    parser.add_argument("--busy", type=int, default=2000)
    parser.add_argument("--seconds", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sandbox = subprocess.Popen([WEIR, "sandbox", "--port", "0"], stdout=subprocess.PIPE, text=True)
        networks = re.search(r"http://\S+:\d+", sandbox.stdout.readline()).group(0).rstrip(".,;")
        file = pathlib.Path(folder) / "weir.json"
        file.write_text(json.dumps(configuration(networks, folder)))
        gateway = subprocess.Popen([WEIR, "serve", "--config", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            port = None
            while port is None:
                for name in ["stdout", "stderr"]:
                    line = getattr(gateway, name).readline() if name == "stderr" else ""
                    if '"serve.started"' in line:
                        port = int(json.loads(line)["listen"].rsplit(":", 1)[1])
            time.sleep(1)
            client = Client(port)
            opened(client, 200)
            before = memory(gateway)
            started = time.monotonic()
            ids = opened(client, options.idle)
            print(f"opened {options.idle} sessions in {time.monotonic() - started:.1f} s, one after the other")
            after = memory(gateway)
            for name in before:
                grown = after[name] - before[name]
                print(f"idle: {name} grew by {grown / 1024:.1f} MiB, {grown / options.idle:.2f} KiB a session (now {after[name] / 1024:.1f} MiB)")
            busy = ids[: options.busy]
            for session in busy:
                client.post(f"/v1/sessions/{session}/inputs", {"inputs": [{"type": "initialize"}, {"type": "start"}, {"type": "ad_started"}, {"type": "ad_completed"}]})
            listing = pathlib.Path(folder) / "sessions"
            listing.write_text("\n".join(busy) + "\n")
            run = subprocess.run(
                ["wrk", "-t1", f"-c{options.busy}", f"-d{options.seconds}s", "--timeout", "10s", "-s", str(ROOT / "Benchmarks/sessions.lua"), f"http://127.0.0.1:{port}"],
                env={**os.environ, "SESSIONS": str(listing)}, capture_output=True, text=True, check=True,
            )
            requests, refused, broken, p50, p90, p99, most = re.search(r"RESULT (.*)", run.stdout).group(1).split()
            print(f"busy: {options.busy} sessions, {requests} inputs in {options.seconds} s; refused {refused}, broken {broken}")
            print(f"busy: latency ms p50 {p50}, p90 {p90}, p99 {p99}, most {most}")
            taken = sum(client.get(f"/v1/sessions/{session}")["client_seq"] for session in busy)
            print(f"busy: inputs taken {taken}; answered {requests}; the rest was under way when the clock stopped")
            assert int(requests) <= taken <= int(requests) + 2 * options.busy
        finally:
            gateway.terminate()
            sandbox.terminate()
            gateway.wait()
            sandbox.wait()


main()

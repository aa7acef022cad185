#!/usr/bin/env python3
"""Keeps a gateway busy for a long time, with hostile networks and rude callers, and looks for what grows.

    scripts/soak.py WEIR [--time SECONDS] [--rate N] [--warm-up SECONDS] [--connections N] [--report FILE]

It starts `WEIR sandbox` for honest networks, a process of its own for hostile ones, and `WEIR serve` between them and
this process, which is the caller: an open loop of --rate requests a second. Without --rate it first measures for
15 seconds how many the gateway can answer and takes 60 % of that. Beside the timetable there are callers who go away in
mid-request, who send nonsense, who send their heads a byte at a time, and followers of sessions who hardly read.

Exit code 1, and a line that says why, when a bound is broken:
- resident memory, median of the last tenth of the time over the median of the tenth after the warm-up: at most 5 % more;
- descriptors of the gateway but for callers' connections, likewise: at most 16 more; and after the load has ended, none of a caller is left;
- requests without an answer: none; answers other than 200 and 503: none;
- 503: at most 1 % of the answers.
Only the standard library is needed.
"""
import argparse
import asyncio
import json
import logging
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import zlib

HOST = "127.0.0.1"
MOST_GROWTH = 0.05
MOST_DESCRIPTORS = 16
PATIENCE = 15.0

# What hostile networks do, and how long a line waits for it.
HOSTILE = {
    "endless": 300, "flood-head": 300, "trickle": 120, "silent": 120, "reset": 300, "reset-mid": 300, "short": 300,
    "bomb": 300, "redirect": 300, "broken": 300, "fan": 300, "circle": 300, "garbage": 300, "error": 300,
}


# Hostile networks: `soak.py --networks`


def wrapped(url):
    return (f'<VAST version="4.2"><Ad id="w"><Wrapper><AdSystem>x</AdSystem><Impression/>'
            f'<VASTAdTagURI><![CDATA[{url}]]></VASTAdTagURI></Wrapper></Ad></VAST>').encode()


def answer(body, lines=b"Content-Type: application/xml\r\n", status=200):
    return b"HTTP/1.1 %d Text\r\n%sContent-Length: %d\r\n\r\n" % (status, lines, len(body)) + body


def bomb():
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return packer.compress(b"x" * (32 << 20)) + packer.flush()


async def networks():
    folded = bomb()
    me = ""

    async def misbehave(name, writer):
        if name == "endless":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n\r\n")
            for _ in range(64):
                writer.write(b"x" * 65536)
                await writer.drain()
            return False
        if name == "flood-head":
            writer.write(b"HTTP/1.1 200 OK\r\n" + b"X-Flood: yes\r\n" * 10000)
            return False
        if name == "trickle":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            for _ in range(100):
                writer.write(b"y")
                await writer.drain()
                await asyncio.sleep(0.05)
            return False
        if name == "silent":
            await asyncio.sleep(2)
            return False
        if name in ("reset", "reset-mid"):
            if name == "reset-mid":
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<VAST")
                await writer.drain()
            writer.transport.abort()
            return False
        if name == "short":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n<VAST/>")
            return False
        if name == "bomb":
            writer.write(answer(folded, b"Content-Encoding: gzip\r\n"))
        elif name == "redirect":
            writer.write(answer(b"", b"Location: http://10.0.0.1/\r\n", 302))
        elif name == "broken":
            writer.write(answer(b'<VAST version="4.2"><Ad><InLine><Creatives>'))
        elif name == "fan":
            one = b"<Ad><Wrapper><AdSystem/><VASTAdTagURI>%s/error</VASTAdTagURI></Wrapper></Ad>" % me.encode()
            writer.write(answer(b'<VAST version="4.2">' + one * 30 + b"</VAST>"))
        elif name == "circle":
            writer.write(answer(wrapped(f"{me}/circle")))
        elif name == "garbage":
            writer.write(os.urandom(2000))
            return False
        else:
            writer.write(answer(b"down", b"Content-Type: text/plain\r\n", 503))
        return True

    async def serve(reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                name = head.split(b" ", 2)[1].decode().lstrip("/").split("?")[0]
                if not await misbehave(name, writer):
                    break
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, HOST, 0, backlog=1024)
    me = f"http://{HOST}:{server.sockets[0].getsockname()[1]}"
    print(me, flush=True)
    await server.serve_forever()


# The gateway's configuration


def configuration(honest, hostile, folder):
    networks, units, placements = [], [], []

    def network(name, url, timeout):
        networks.append({"id": name, "adapter": "vast", "settings": {"tag_url": url}, "timeout_ms": timeout,
                         "allow_private": [HOST], "breaker": {"enabled": False}})

    def unit(name, *lines):
        waterfall = [{"id": f"{name}-{line}", "network": line, "network_unit": name} for line in lines]
        units.append({"id": name, "format": "video", "timeout_ms": 4000, "waterfall": waterfall})
        placements.append({"id": name, "ad_unit": name})

    network("film", f"{honest}/video?unit={{network_unit}}", 2000)
    network("wrapped", f"{honest}/video/wrapper?unit={{network_unit}}", 2000)
    network("dry", f"{honest}/nofill", 2000)
    unit("plain", "film")
    unit("second", "dry", "film")
    unit("wrapped", "wrapped", "film")
    for name, timeout in HOSTILE.items():
        network(name, f"{hostile}/{name}", timeout)
        unit(f"after-{name}", name, "film")
    return {"server": {"listen": f"{HOST}:0", "admin_listen": f"{HOST}:0", "max_connections_per_address": 5000,
                       "header_timeout_ms": 2000},
            "storage": {"url": f"sqlite:{folder}/weir.db"}, "environment": "production",
            "networks": networks, "ad_units": units, "placements": placements}


# Callers


class Tally:
    def __init__(self):
        self.asked = self.unanswered = self.held_back = 0
        self.statuses = {}
        self.times = []
        self.rude = {}

    def answered(self, status, seconds):
        self.statuses[status] = self.statuses.get(status, 0) + 1
        # A sample is enough: a long run would fill this process's own memory.
        if len(self.times) < 200_000:
            self.times.append(seconds)
        else:
            self.times[random.randrange(len(self.times))] = seconds


def request():
    chance = random.random()
    if chance < 0.70:
        placement = "plain"
    elif chance < 0.80:
        placement = random.choice(["second", "wrapped"])
    else:
        placement = "after-" + random.choice(list(HOSTILE))
    if random.random() < 0.5:
        return f"GET /v1/vast?placement={placement}&w=640&h=360 HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    body = json.dumps({"placement": placement, "user": {"id": f"u-{random.randrange(1000)}"}}).encode()
    return (b"POST /v1/ads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            % len(body)) + body


class Caller(asyncio.Protocol):
    """One kept connection; one request at a time."""

    def __init__(self, crew):
        self.crew = crew
        self.transport = None
        self.began = None
        self.buffer = b""
        self.missing = None

    def connection_made(self, transport):
        self.transport = transport
        self.crew.idle.append(self)

    def ask(self, due):
        self.began = due
        self.crew.busy.add(self)
        self.crew.tally.asked += 1
        self.transport.write(request())

    def data_received(self, data):
        self.buffer += data
        if self.missing is None:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = self.buffer[:end]
            self.status = int(head[9:12])
            mark = head.lower().find(b"content-length: ")
            length = int(head[mark + 16:].split(b"\r\n", 1)[0]) if mark >= 0 else 0
            self.missing = end + 4 + length
        if len(self.buffer) >= self.missing:
            self.buffer = self.buffer[self.missing:]
            self.missing = None
            self.crew.tally.answered(self.status, time.monotonic() - self.began)
            self.began = None
            self.crew.busy.discard(self)
            self.crew.idle.append(self)

    def connection_lost(self, error):
        if self.began is not None:
            self.crew.tally.unanswered += 1
        self.crew.lost(self)


class Crew:
    def __init__(self, port, size, tally):
        self.port, self.size, self.tally = port, size, tally
        self.idle, self.busy, self.all = [], set(), set()
        self.isOver = False

    async def hire(self):
        while len(self.all) < self.size:
            _, caller = await asyncio.get_running_loop().create_connection(lambda: Caller(self), HOST, self.port)
            self.all.add(caller)

    def lost(self, caller):
        self.all.discard(caller)
        self.busy.discard(caller)
        if caller in self.idle:
            self.idle.remove(caller)

    async def run(self, rate, seconds):
        """An open loop; a rate of 0 asks whenever somebody is idle."""
        start = time.monotonic()
        sent = 0
        while (now := time.monotonic()) < start + seconds:
            if len(self.all) < self.size:
                await self.hire()
            due = len(self.idle) if rate == 0 else int((now - start) * rate) - sent
            for _ in range(min(due, len(self.idle))):
                caller = self.idle.pop(0)
                caller.ask(now if rate == 0 else start + sent / rate)
                sent += 1
            if rate and due > 0 and not self.idle:
                # Everybody waits: what is late is told, and asked as soon as somebody is free.
                self.tally.held_back += 1
            for caller in [c for c in self.busy if now - c.began > PATIENCE]:
                caller.transport.abort()
            await asyncio.sleep(0.002)
        end = time.monotonic() + PATIENCE
        while self.busy and time.monotonic() < end:
            await asyncio.sleep(0.05)
        return sent / seconds

    def dismiss(self):
        self.isOver = True
        for caller in list(self.all):
            caller.transport.close()


async def rude(port, tally, end):
    """Callers that nobody wants; what becomes of them is their own affair."""

    async def once(kind):
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            if kind == "gone":
                writer.write(request()[:-3] if random.random() < 0.5 else request())
                await writer.drain()
                await asyncio.sleep(random.random() * 0.02)
                writer.transport.abort()
                return
            if kind == "nonsense":
                writer.write(os.urandom(300) + b"\r\n\r\n")
                await asyncio.wait_for(reader.read(), 10)
            elif kind == "drip":
                for byte in b"GET /v1/vast?placement=plain HTTP/1.1\r\nHost: x\r\nX: ":
                    writer.write(bytes([byte]))
                    await asyncio.sleep(0.1)
            elif kind == "large":
                writer.write(b"POST /v1/ads HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n" + b"x" * 100000)
                await asyncio.wait_for(reader.read(), 10)
            elif kind == "follower":
                body = b'{"placement": "plain"}'
                writer.write(b"POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                             b"Content-Length: %d\r\n\r\n" % len(body) + body)
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
                for line in head.split(b"\r\n"):
                    if line.lower().startswith(b"location: "):
                        writer.write(b"GET %s/outputs HTTP/1.1\r\nHost: x\r\n\r\n" % line[10:])
                        await asyncio.sleep(3)
                        # Ended, so that sessions do not add up to their idle time.
                        await once_more(b"DELETE %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % line[10:])
        finally:
            writer.close()

    async def once_more(bytes_):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(bytes_)
        await asyncio.wait_for(reader.read(), 10)
        writer.close()

    async def guarded(kind):
        try:
            await once(kind)
            tally.rude[kind] = tally.rude.get(kind, 0) + 1
        except (ConnectionError, asyncio.TimeoutError, asyncio.IncompleteReadError):
            pass

    running = set()
    while time.monotonic() < end:
        kind = random.choice(["gone", "gone", "gone", "nonsense", "drip", "large", "follower"])
        if len(running) < 100:
            task = asyncio.create_task(guarded(kind))
            running.add(task)
            task.add_done_callback(running.discard)
        await asyncio.sleep(0.05)
    await asyncio.gather(*running)


# What is looked at


def look(pid, admin):
    """Memory, processor time, and the descriptors that are not a caller's connection: how many callers there are at once
    is their affair, and more when the machine is slow."""
    with open(f"/proc/{pid}/status") as file:
        resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return {"at": time.monotonic(), "kib": resident, "descriptors": len(os.listdir(f"/proc/{pid}/fd")) - connections(admin),
            "cpu": (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")}


async def watch(pid, admin, samples, every, end):
    while time.monotonic() < end:
        samples.append(await asyncio.to_thread(look, pid, admin))
        await asyncio.sleep(every)


def start(command, errors):
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)


def started(path, process):
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None:
        with open(path) as file:
            for line in file:
                if '"serve.started"' in line:
                    event = json.loads(line)
                    return [int(event[key].rsplit(":", 1)[1]) for key in ("listen", "admin_listen")]
        time.sleep(0.05)
    sys.exit(f"The gateway did not start; see {path}.")


def connections(admin):
    with urllib.request.urlopen(f"http://{HOST}:{admin}/metrics", timeout=10) as reply:
        for line in reply.read().decode().splitlines():
            if line.startswith("weir_connections "):
                return int(float(line.split()[1]))
    return -1


async def soak(options, pid, port, admin):
    tally = Tally()
    crew = Crew(port, options.connections, tally)
    await crew.hire()
    rate = options.rate
    if not rate:
        most = await crew.run(0, 15)
        rate = max(1, int(most * 0.6))
        print(f"The gateway answers {most:.0f} requests a second here; soaking at {rate}.", flush=True)
        crew.tally = tally = Tally()
    begin = time.monotonic()
    end = begin + options.time
    samples = []
    every = max(0.5, min(5, options.time / 200))
    asked, _, _ = await asyncio.gather(
        crew.run(rate, options.time), rude(port, tally, end), watch(pid, admin, samples, every, end))
    crew.dismiss()
    # Idle connections of callers end at once, those to networks may stay.
    left = -1
    for _ in range(100):
        left = await asyncio.to_thread(connections, admin)
        if left == 0:
            break
        await asyncio.sleep(0.2)
    return judge(options, tally, samples, begin, asked, rate, left)


def judge(options, tally, samples, begin, asked, rate, left):
    def median(what, first, last):
        values = [s[what] for s in samples if begin + first <= s["at"] < begin + last]
        return statistics.median(values) if values else float("nan")

    tenth = max(options.time / 10, 1)
    warm = (options.warm_up, options.warm_up + tenth)
    late = (options.time - tenth, options.time + 1)
    memory = [median("kib", *span) for span in (warm, late)]
    descriptors = [median("descriptors", *span) for span in (warm, late)]
    growth = memory[1] / memory[0] - 1
    cpu = (samples[-1]["cpu"] - samples[0]["cpu"]) / (samples[-1]["at"] - samples[0]["at"])
    times = sorted(tally.times)
    answers = sum(tally.statuses.values())
    report = {
        "seconds": options.time, "rate": rate, "asked_per_second": round(asked, 1), "requests": tally.asked,
        "unanswered": tally.unanswered, "statuses": tally.statuses, "rude_callers": tally.rude,
        "held_back": tally.held_back, "memory_kib": memory, "memory_growth_percent": round(growth * 100, 2),
        "peak_kib": max(s["kib"] for s in samples), "descriptors": descriptors, "callers_left": left,
        "cpu_cores": round(cpu, 3),
        "latency_ms": {p: round(times[int((len(times) - 1) * p / 100)] * 1000, 2) for p in (50, 90, 99)} if times else {},
    }
    broken = []
    if not growth <= MOST_GROWTH:
        broken.append(f"memory grew by {growth:.1%} after the warm-up, from {memory[0]:.0f} to {memory[1]:.0f} KiB")
    if not descriptors[1] <= descriptors[0] + MOST_DESCRIPTORS:
        broken.append(f"descriptors that are no caller's grew from {descriptors[0]:.0f} to {descriptors[1]:.0f}")
    if left != 0:
        broken.append(f"{left} connections of callers are left after all have gone")
    if tally.unanswered:
        broken.append(f"{tally.unanswered} of {tally.asked} requests got no answer")
    odd = {status: count for status, count in tally.statuses.items() if status not in (200, 503)}
    if odd:
        broken.append(f"answers that nobody asked for: {odd}")
    if tally.statuses.get(503, 0) > answers / 100:
        broken.append(f"{tally.statuses[503]} of {answers} answers were 503")
    return report, broken


def main():
    # Those who are dropped in mid-sentence are meant to be.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    if sys.argv[1:] == ["--networks"]:
        try:
            asyncio.run(networks())
        except KeyboardInterrupt:
            pass
        return
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("weir")
    parser.add_argument("--time", type=float, default=1800, help="seconds of load")
    parser.add_argument("--rate", type=int, default=0, help="requests a second; 60 %% of what is measured by default")
    parser.add_argument("--warm-up", type=float, default=None, help="seconds; 300, or a third of a shorter run")
    parser.add_argument("--connections", type=int, default=200, help="callers")
    parser.add_argument("--report", help="a file for the figures as JSON")
    options = parser.parse_args()
    if options.warm_up is None:
        options.warm_up = min(300, options.time / 3)

    with tempfile.TemporaryDirectory(prefix="weir-soak-") as folder:
        log = f"{folder}/log"
        processes = []
        broken = []
        with open(log, "w") as errors:
            try:
                sandbox = start([options.weir, "sandbox", "--port", "0"], errors)
                processes.append(sandbox)
                honest = sandbox.stdout.readline().split(" at ")[1].split(",")[0]
                hostile = start([sys.executable, os.path.abspath(__file__), "--networks"], errors)
                processes.append(hostile)
                file = f"{folder}/weir.json"
                with open(file, "w") as out:
                    json.dump(configuration(honest, hostile.stdout.readline().strip(), folder), out)
                gateway = start([options.weir, "serve", "--config", file, "--log-level", "info"], errors)
                processes.append(gateway)
                port, admin = started(log, gateway)
                report, broken = asyncio.run(soak(options, gateway.pid, port, admin))
                gateway.send_signal(signal.SIGTERM)
                code = gateway.wait(30)
                if code != 0:
                    broken.append(f"the gateway ended with {code}")
            finally:
                for process in reversed(processes):
                    if process.poll() is None:
                        process.kill()
                        process.wait()
        with open(log) as file:
            lost = [line.strip() for line in file if '"level":"error"' in line]
        broken += lost[:5]
    text = json.dumps(report, indent=2)
    print(text)
    if options.report:
        with open(options.report, "w") as out:
            out.write(text + "\n")
    for line in broken:
        print(f"Broken: {line}.")
    print("Soak: " + ("every bound held." if not broken else f"{len(broken)} bounds were broken."))
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The gateway beside nginx on the same machine, in the same minutes: `make bench`.

    Benchmarks/HTTP/bench.py --tools FOLDER [--weir BINARY] [--against NAME=BINARY] [--rounds 5] [--seconds 3]

Needs Debian's nginx and wrk, which are started and stopped here, on loopback, with files in a temporary folder. The
programs take turns, round after round, and every figure is the median of its rounds, so that what else the machine does
falls on all alike. Processor time a request is the figure to trust; requests a second depend on what the load
generator leaves of the machine. Writes a table, and JSON to --json. docs/performance.md explains the figures.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import tempfile
import time

import figures
from servers import HERE, Nginx, Upstream, Weir

ROOT = HERE.parent.parent


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        cores = sorted(os.sched_getaffinity(0))
        # The measured program has the first processor, the load and the network the last; one alone is shared.
        self.server_cores = {cores[0]} if len(cores) > 1 and not options.free else None
        self.load_cores = set(cores[1:]) if len(cores) > 1 and not options.free else None
        self.binaries = {"weir": options.weir}
        if options.against:
            name, binary = options.against.split("=", 1)
            self.binaries[name] = pathlib.Path(binary)
        self.result = {}

    def weir(self, upstream, name="weir", workers=1):
        cores = self.server_cores if workers == 1 else None
        return Weir(self.folder, self.binaries[name], upstream, workers, cores, name)

    def run(self):
        for part in self.options.parts:
            getattr(self, part)()

    # The processor time of a request, and requests a second.
    def throughput(self):
        upstream = Upstream(self.options.tools, cores=self.load_cores)
        programs = [Nginx(self.folder, upstream, self.server_cores)]
        programs += [self.weir(upstream, name) for name in self.binaries]
        try:
            for figure in self.options.figures:
                path = {"nginx": None}
                samples = {program.name: [] for program in programs}
                for round in range(-1, self.options.rounds):
                    for program in turned(programs, round):
                        # nginx passes on what it is given: the GET that the gateway makes of an ad request.
                        kind = "vast" if program.name == "nginx" and figure == "ads" else figure
                        if round < 0:
                            figures.closed_loop(program, kind, 1, cores=self.load_cores, path=path.get(program.name))
                        else:
                            sample = figures.closed_loop(
                                program, kind, self.options.seconds, cores=self.load_cores, path=path.get(program.name))
                            samples[program.name].append(sample)
                self.result[figure] = {
                    name: {**figures.median(all), "threads_us": all[0]["threads_us"], "samples_cpu_us": [
                        round_to(sample["cpu_us"]) for sample in all]} for name, all in samples.items()}
        finally:
            stop(programs + [upstream])

    # What the gateway adds to a network that takes 20 ms.
    def latency(self):
        upstream = Upstream(self.options.tools, 20000, cores=self.load_cores)
        programs = [Nginx(self.folder, upstream, self.server_cores)]
        programs += [self.weir(upstream, name) for name in self.binaries]
        try:
            ways = [("upstream", upstream.port, "/vast")]
            ways += [(program.name, program.port, figures.PATHS["vast"]) for program in programs]
            samples = {name: [] for name, _, _ in ways}
            for round in range(-1, self.options.rounds):
                for name, port, path in turned(ways, round):
                    seconds = 1 if round < 0 else self.options.seconds + 2
                    sample = figures.open_loop(self.options.tools, port, path, 1000, seconds, cores=self.load_cores)
                    if round >= 0:
                        samples[name].append(sample)
            medians = {name: figures.median(all) for name, all in samples.items()}
            for name in medians:
                # Each round against the upstream of the same round: the machine's mood is in both.
                for value in ["p50_us", "p99_us"]:
                    medians[name]["added_" + value] = statistics.median(
                        own[value] - alone[value] for own, alone in zip(samples[name], samples["upstream"]))
            self.result["latency"] = medians
        finally:
            stop(programs + [upstream])

    def memory(self):
        upstream = Upstream(self.options.tools, 100_000, cores=self.load_cores)
        self.result["memory_mb"] = {}
        try:
            for name in self.binaries:
                program = self.weir(upstream, name)
                try:
                    idle = program.memory()[0] * 1024 / 1e6
                    most = figures.memory_in_flight(program, cores=self.load_cores)
                finally:
                    stop([program])
                self.result["memory_mb"][name] = {"idle": round_to(idle), "in_flight": round_to(most)}
        finally:
            stop([upstream])

    def start(self):
        upstream = Upstream(self.options.tools)
        samples = {name: [] for name in self.binaries}
        try:
            for round in range(self.options.rounds + 4):
                for name in turned(list(self.binaries), round):
                    program = Weir(self.folder, self.binaries[name], upstream, name=name)
                    samples[name].append(program.listening_after * 1000)
                    stop([program])
        finally:
            stop([upstream])
        self.result["start_ms"] = {
            name: {"median": round_to(statistics.median(all)), "worst": round_to(max(all))}
            for name, all in samples.items()}

    def workers(self):
        upstream = Upstream(self.options.tools)
        programs = {}
        try:
            for name in self.binaries:
                programs[name] = [self.weir(upstream, name), self.weir(upstream, name, workers=2)]
                # Neither is tied to a processor: what the scheduler does to one it does to both.
                for program in programs[name]:
                    os.sched_setaffinity(program.process.pid, os.sched_getaffinity(0))
                    for task in pathlib.Path(f"/proc/{program.process.pid}/task").iterdir():
                        os.sched_setaffinity(int(task.name), os.sched_getaffinity(0))
            self.result["workers"] = {}
            for name, pair in programs.items():
                samples = []
                for round in range(-1, self.options.rounds):
                    one, two = (figures.closed_loop(program, "vast", self.options.seconds if round >= 0 else 1, 256)
                                for program in pair)
                    if round >= 0:
                        samples.append({"scaling": figures.scaling(one, two), "one_s": one["requests_s"],
                                        "two_s": two["requests_s"], "one_us": one["cpu_us"], "two_us": two["cpu_us"]})
                self.result["workers"][name] = figures.median(samples)
        finally:
            stop([program for pair in programs.values() for program in pair] + [upstream])


def turned(programs, round):
    """Everybody begins once: the first of a round may find another machine than the last."""
    place = round % len(programs)
    return programs[place:] + programs[:place]


def stop(programs):
    for program in programs:
        program.stop()


def round_to(value):
    return round(value, 2)


def table(result, names):
    rows = [("figure", "goal") + tuple(names)]

    def row(text, goal, value):
        cells = []
        for name in names:
            try:
                cells.append(value(name))
            except (KeyError, ZeroDivisionError):
                cells.append("")
        rows.append((text, goal) + tuple(cells))

    health, vast, ads = (result.get(figure) for figure in ["healthz", "vast", "ads"])
    if health:
        row("/healthz, requests/s ÷ nginx `return 200`", "≥ 0.8",
            lambda n: f"{health[n]['requests_s'] / health['nginx']['requests_s']:.2f}")
        row("/healthz, CPU of nginx ÷ CPU", "", lambda n: f"{health['nginx']['cpu_us'] / health[n]['cpu_us']:.2f}")
        row("/healthz, CPU a request, µs", "", lambda n: f"{health[n]['cpu_us']:.1f}")
    if vast:
        row("GET /v1/vast, CPU of nginx `proxy_pass` ÷ CPU", "≥ 0.5",
            lambda n: f"{vast['nginx']['cpu_us'] / vast[n]['cpu_us']:.2f}")
        row("GET /v1/vast, CPU a request, µs", "", lambda n: f"{vast[n]['cpu_us']:.1f}")
        row("GET /v1/vast, requests/s", "", lambda n: f"{vast[n]['requests_s']:.0f}")
    if ads:
        row("POST /v1/ads, CPU ÷ CPU of nginx `proxy_pass`", "≤ 2.5",
            lambda n: f"{ads[n]['cpu_us'] / ads['nginx']['cpu_us']:.2f}")
        row("POST /v1/ads, CPU a request, µs", "", lambda n: f"{ads[n]['cpu_us']:.1f}")
        row("POST /v1/ads, requests/s", "", lambda n: f"{ads[n]['requests_s']:.0f}")
    if late := result.get("latency"):
        row("added at 1,000/s, 20 ms network: p50, ms", "≤ 0.3", lambda n: f"{late[n]['added_p50_us'] / 1000:.2f}")
        row("added at 1,000/s, 20 ms network: p99, ms", "≤ 1.5", lambda n: f"{late[n]['added_p99_us'] / 1000:.2f}")
        row("of these, failed or not sent in time, %", "",
            lambda n: f"{100 * late[n]['failures'] / (late[n]['failures'] + late[n]['count'] or 1):.1f}")
    if memory := result.get("memory_mb"):
        row("resident at 256 in flight, MB", "≤ 40", lambda n: f"{memory[n]['in_flight']:.1f}")
    if start := result.get("start_ms"):
        row("listening after, ms", "≤ 100", lambda n: f"{start[n]['median']:.0f}")
    if workers := result.get("workers"):
        row("two workers ÷ one", "≥ 1.6", lambda n: f"{workers[n]['scaling']:.2f}")
        row("CPU a request, one and two workers, µs", "",
            lambda n: f"{workers[n]['one_us']:.0f}, {workers[n]['two_us']:.0f}")
    widths = [max(len(line[place]) for line in rows) for place in range(len(rows[0]))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def main():
    parts = ["throughput", "latency", "memory", "start", "workers"]
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="where bench-load and bench-upstream are")
    parser.add_argument("--weir", type=pathlib.Path, default=ROOT / ".build/release/weir")
    parser.add_argument("--against", help="NAME=BINARY: another build of the gateway, measured in the same rounds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--parts", type=lambda text: text.split(","), default=parts, help=",".join(parts))
    parser.add_argument("--figures", type=lambda text: text.split(","), default=["healthz", "vast", "ads"])
    parser.add_argument("--free", action="store_true", help="do not tie programs to processors")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    for program in ["nginx", "wrk"]:
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin"):
            raise SystemExit(f"{program} is missing; Debian has it (nginx-light, wrk). Its service need not run.")
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as folder:
        bench = Bench(options, folder)
        begun = time.strftime("%Y-%m-%d %H:%M")
        bench.run()
    text = table(bench.result, ["nginx"] + list(bench.binaries))
    print(text)
    if options.json:
        machine = {"cores": os.cpu_count(), "machine": platform.machine(), "load": os.getloadavg()}
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(
            {"at": begun, "rounds": options.rounds, "seconds": options.seconds, "machine": machine, **bench.result},
            indent=2) + "\n")


main()

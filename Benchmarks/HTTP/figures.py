"""The measurements: each takes one sample of one program; who calls interleaves the programs and takes medians."""

import json
import os
import re
import statistics
import subprocess
import threading
import time

from servers import HERE

PATHS = {"healthz": "/healthz", "vast": "/v1/vast?placement=p", "ads": "/v1/ads"}


def closed_loop(program, figure, seconds, connections=64, cores=None, path=None):
    """`connections` that ask again as soon as they are answered: requests a second, and processor time of each."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s"]
    if figure == "ads":
        command += ["-s", str(HERE / "ads.lua")]
    command.append(f"http://127.0.0.1:{program.port}{path or PATHS[figure]}")
    cpu, threads, begun = program.cpu(), program.threads(), time.monotonic()
    output = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=keep_to(cores)).stdout
    elapsed = time.monotonic() - begun
    cpu, after = program.cpu() - cpu, program.threads()
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    if re.search(r"Non-2xx|Socket errors", output):
        raise SystemExit(f"{program.name} {figure}: not all was well:\n{output}")
    size, unit = re.search(r"requests in [^,]*, ([\d.]+)([KMG]?B) read", output).groups()
    if figure != "healthz" and float(size) * {"B": 1, "KB": 2**10, "MB": 2**20, "GB": 2**30}[unit] < 2500 * requests:
        raise SystemExit(f"{program.name} {figure}: not all answers were ads:\n{output}")
    loops = sorted((after[key] - threads.get(key, 0) for key in after), reverse=True)
    return {"requests_s": requests / elapsed, "cpu_us": cpu / requests * 1e6, "busy": cpu / elapsed,
            "busiest_thread": loops[0] / cpu, "threads_us": [round(one / requests * 1e6, 2) for one in loops[:4]]}


def open_loop(tools, port, path, rate, seconds, connections=64, cores=None):
    """`rate` requests a second, whatever became of the ones before: percentiles of the time to the last byte."""
    command = [tools / "bench-load", str(port), path, str(rate), str(seconds), str(connections)]
    # Its verdict on failures is in its words; a program that cannot keep up is a result, too.
    output = subprocess.run(command, capture_output=True, text=True, preexec_fn=keep_to(cores)).stdout
    return json.loads(output)


def memory_in_flight(program, connections=256, seconds=4, cores=None):
    """Resident MB, at most, while `connections` requests wait for the network."""
    most = 0
    over = threading.Event()

    def watch():
        nonlocal most
        while not over.wait(0.05):
            most = max(most, program.memory()[0])

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        closed_loop(program, "ads", seconds, connections, cores)
    finally:
        over.set()
        watcher.join()
    return most * 1024 / 1e6


def scaling(one, two):
    """What two workers serve, in terms of what one does, each with a processor of its own.

    The load and the network share the processors with the workers, so that two workers cannot show it in requests a
    second. What limits them is how much dearer a request becomes and how unevenly the load falls.
    """
    loops = two["threads_us"][:2]
    return one["cpu_us"] / two["cpu_us"] * sum(loops) / max(loops)


def keep_to(cores):
    return (lambda: os.sched_setaffinity(0, cores)) if cores else None


def median(samples, *names):
    """The median of each value of samples that have the same names."""
    return {name: statistics.median(sample[name] for sample in samples) for name in names or samples[0]
            if isinstance(samples[0][name], (int, float))}

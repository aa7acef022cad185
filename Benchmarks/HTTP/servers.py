"""The programs that are measured or help to measure: started on loopback, stopped by process id."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


class Program:
    """A running program with the descriptors, and the processor it is kept on."""

    def __init__(self, name, command, cores=None, **options):
        self.name = name
        preparation = (lambda: os.sched_setaffinity(0, cores)) if cores else None
        self.process = subprocess.Popen(command, preexec_fn=preparation, **options)

    def pids(self):
        return [self.process.pid]

    def cpu(self):
        """Seconds of processor time so far, user and system, of all threads."""
        # Linux: the clock of another process; as exact as the scheduler, where /proc counts ticks of 10 ms.
        return sum(time.clock_gettime((~pid) << 3 | 2) for pid in self.pids())

    def threads(self):
        """Seconds of processor time by thread name and number."""
        times = {}
        for pid in self.pids():
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                try:
                    name = (task / "comm").read_text().strip()
                    times[(name, int(task.name))] = int((task / "schedstat").read_text().split()[0]) / 1e9
                except (FileNotFoundError, ProcessLookupError):
                    pass  # The thread has ended between the two looks.
        return times

    def memory(self):
        """Resident KiB now and at most."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in text.splitlines())
        return tuple(int(fields[name].split()[0]) for name in ["VmRSS", "VmHWM"])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Upstream(Program):
    """The network: one document of 4 KiB after `delay_us`."""

    def __init__(self, tools, delay_us=0, cores=None):
        command = [tools / "bench-upstream", HERE / "inline.xml", str(delay_us)]
        super().__init__(f"upstream {delay_us} us", command, cores, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())


class Nginx(Program):
    """nginx with one worker: `return 200` at /healthz, `proxy_pass` with kept connections everywhere else."""

    def __init__(self, folder, upstream, cores=None):
        self.port = free_port()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="nginx-", dir=folder))
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=self.port, upstream=upstream.port))
        command = [shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin"), "-p", folder, "-c", folder / "nginx.conf", "-e", "stderr"]
        super().__init__("nginx", command, cores, stderr=subprocess.DEVNULL)
        until_answering(self.port, self.process)
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.workers = [int(pid) for pid in children]

    def pids(self):
        return self.workers


class Weir(Program):
    """The gateway, with one network that serves the document."""

    def __init__(self, folder, binary, upstream, workers=1, cores=None, name="weir"):
        self.port = free_port()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="weir-", dir=folder))
        (folder / "weir.json").write_text(json.dumps(configuration(folder, self.port, upstream.port, workers)))
        self.started = time.monotonic()
        # Files, not pipes: a full pipe would stop the logger.
        with open(folder / "log", "wb") as log:
            super().__init__(name, [binary, "serve", "--config", folder / "weir.json"], cores, stdout=log, stderr=log)
        self.listening_after = until_answering(self.port, self.process) - self.started


def configuration(folder, port, upstream, workers):
    line = {"id": "line", "network": "net", "network_unit": "u"}
    tag = f"http://127.0.0.1:{upstream}/vast?unit={{network_unit}}&ua={{ua}}&ip={{ip}}&cb={{cachebusting}}"
    return {
        "server": {"listen": f"127.0.0.1:{port}", "admin_listen": "127.0.0.1:0", "workers": workers,
                   "max_connections_per_address": 10000},
        "storage": {"url": f"sqlite:{folder}/weir.db"},
        # No breaker and no short line: on a busy machine they would make cheap no-fills of what is to be measured.
        "networks": [{"id": "net", "adapter": "vast", "allow_private": ["127.0.0.1"], "timeout_ms": 5000,
                      "breaker": {"enabled": False}, "settings": {"tag_url": tag}}],
        "ad_units": [{"id": "unit", "format": "video", "timeout_ms": 5000, "waterfall": [line]}],
        "placements": [{"id": "p", "ad_unit": "unit"}],
    }


NGINX = """
daemon off; worker_processes 1; pid {folder}/pid; error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
    access_log off; keepalive_requests 1000000000; tcp_nodelay on; server_tokens off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    upstream network {{ server 127.0.0.1:{upstream}; keepalive 512; keepalive_requests 1000000000; }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        location = /healthz {{ default_type text/plain; return 200 "ok\\n"; }}
        location / {{ proxy_pass http://network; proxy_http_version 1.1; proxy_set_header Connection ""; }}
    }}
}}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def until_answering(port, process):
    """When the program answered at /healthz for the first time."""
    begun = time.monotonic()
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return time.monotonic()
        except OSError:
            time.sleep(0.0005)
        if process.poll() is not None or time.monotonic() > begun + 20:
            raise SystemExit(f"{process.args[0]} does not listen")

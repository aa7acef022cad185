#!/usr/bin/env python3
"""How many callbacks a second /v1/ssv takes with durable replies, and what one costs.

usage: throughput.py PATH_OF_WEIR [CALLBACKS] [CONNECTIONS] [SECONDS]

Signs that many AdMob callbacks with a key of its own (Python's cryptography), sends each once with wrk over kept
connections, and reads the gateway's CPU time. Every callback is verified, granted and synced before its reply.
"""

import base64
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

WEIR = os.path.abspath(sys.argv[1])
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 30000
CONNECTIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 64
SECONDS = int(sys.argv[4]) if len(sys.argv) > 4 else 10
folder = tempfile.mkdtemp(prefix="weir-throughput-")

key = ec.generate_private_key(ec.SECP256R1())
der = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
with open(folder + "/keys.json", "w") as file:
    json.dump({"keys": [{"keyId": 7, "base64": base64.b64encode(der).decode()}]}, file)
now = int(time.time() * 1000)
with open(folder + "/paths.txt", "w") as file:
    for number in range(COUNT):
        text = (
            f"ad_network=5450213213286189855&ad_unit=2747237135&custom_data=level=7&reward_amount=5&reward_item=coins"
            f"&timestamp={now}&transaction_id={number:032x}&user_id=u{number}"
        )
        signature = base64.urlsafe_b64encode(key.sign(text.encode(), ec.ECDSA(hashes.SHA256()))).decode().rstrip("=")
        file.write(f"/v1/ssv/admob?{text.replace('level=7', 'level%3D7')}&signature={signature}&key_id=7\n")
with open(folder + "/send.lua", "w") as file:
    file.write(
        """
local threads = 0
function setup(thread) thread:set("first", threads); threads = threads + 1 end
function init(args)
  paths = {}
  local number = 0
  for line in io.lines(args[1]) do
    if number % 2 == first then paths[#paths + 1] = line end
    number = number + 1
  end
  sent = 0
end
function request()
  sent = sent + 1
  if sent > #paths then wrk.thread:stop(); return wrk.format("GET", "/healthz") end
  return wrk.format("GET", paths[sent])
end
"""
    )
with open(folder + "/weir.json", "w") as file:
    json.dump(
        {
            "server": {"listen": "127.0.0.1:0", "admin_listen": "127.0.0.1:0", "workers": 2},
            "storage": {"url": "sqlite:weir.db"},
            "environment": "production",
            "networks": [{"id": "n", "adapter": "rewarded", "settings": {"load_url": "http://n.example/"}}],
            "ad_units": [
                {"id": "coins", "format": "rewarded", "reward": {"item": "coins", "amount": "5"}, "reward_mode": "ssv",
                 "waterfall": [{"id": "l", "network": "n", "network_unit": "u"}]}
            ],
            "placements": [{"id": "p", "ad_unit": "coins"}],
            "rewards": {
                "callbacks": [
                    {"network": "admob", "scheme": "admob", "keys_file": "keys.json",
                     "ad_units": {"2747237135": "coins"}}
                ]
            },
        },
        file,
    )
with open(folder + "/log", "w") as log:
    process = subprocess.Popen([WEIR, "serve", "--config", "weir.json"], cwd=folder, stdout=log, stderr=subprocess.STDOUT)
while True:
    time.sleep(0.1)
    with open(folder + "/log") as file:
        lines = [line for line in file if '"serve.started"' in line]
    if lines:
        started = json.loads(lines[0])
        break


def cpu():
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


before = cpu()
wrk = subprocess.run(
    ["wrk", "-t2", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", "-s", "send.lua", "http://" + started["listen"], "--", "paths.txt"],
    cwd=folder, capture_output=True, text=True,
)
used = cpu() - before
print(wrk.stdout)
process.send_signal(signal.SIGTERM)
process.wait()
database = sqlite3.connect(folder + "/weir.db")
granted, first, last = database.execute(
    "SELECT count(*), min(granted_ms), max(granted_ms) FROM reward_grants WHERE state = 'granted'"
).fetchone()
database.close()
shutil.rmtree(folder)
print(
    f"{granted} granted of {COUNT} signed, {granted / max(1, last - first) * 1000:.0f}/s with durable replies, "
    f"{used / max(1, granted) * 1e6:.0f} µs of CPU each"
)

#!/bin/sh
# client.sh TOOLS AT-ONCE: runs bench-client against bench-upstream, each tied to a processor of its own.
set -eu
folder=$(dirname "$0")
port=$(mktemp)
taskset -c 1 "$1/bench-upstream" "$folder/HTTP/inline.xml" 0 > "$port" &
upstream=$!
trap 'kill $upstream; rm -f "$port"' EXIT
while ! [ -s "$port" ]; do sleep 0.05; done
taskset -c 0 "$1/bench-client" "http://127.0.0.1:$(cat "$port")/ad" 50000 "$2"

#!/usr/bin/env bash
# Installs the Debian packages that Weir builds against, and nothing when all are there.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v swift >/dev/null; then
    echo "Swift 6.3 or newer is needed and was not found: https://www.swift.org/install/linux/" >&2
    exit 1
fi

missing=()
while read -r package; do
    case "$package" in '' | '#'*) continue ;; esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done <scripts/packages.txt
[ "${#missing[@]}" -eq 0 ] && exit 0

sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo
echo "Installing: ${missing[*]}"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}"

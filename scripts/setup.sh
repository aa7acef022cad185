#!/usr/bin/env bash
# Installs the Debian packages that Weir builds against, and nothing when all are there.
set -euo pipefail
cd "$(dirname "$0")/.."

complain() { printf '%s\n' "$@" >&2; }

if ! command -v swift >/dev/null; then
    complain "Swift 6.3 or newer is needed and was not found: https://www.swift.org/install/linux/"
    exit 1
fi

# Every package that is listed and not installed.
missing=()
while read -r package; do
    case "$package" in '' | '#'*) continue ;; esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done <scripts/packages.txt
[ "${#missing[@]}" -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    complain "This is no Debian. Install what scripts/packages.txt lists under its names here."
    exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        complain "Debian packages are missing, and without sudo only root can install them:" \
            "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        exit 1
    fi
    sudo=sudo
fi

echo "Installing: ${missing[*]}"
# On a terminal apt shows its progress.
quiet=-qq
[ -t 1 ] && quiet=-q=0
$sudo apt-get update "$quiet"
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y "$quiet" --no-install-recommends "${missing[@]}"

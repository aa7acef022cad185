#!/usr/bin/env bash
# The web player in headless Chromium: Tests/Browser against the built `weir demo`. Screenshots stay in .build/browser.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
for package in chromium chromium-driver python3-venv; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    echo "Installing: ${missing[*]}"
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

python=.build/browser/venv/bin/python
if [ ! -x "$python" ]; then
    python3 -m venv .build/browser/venv
    if ! "$python" -m pip install --quiet --disable-pip-version-check --retries 2 --timeout 20 'selenium==4.51.0'; then
        rm -rf .build/browser/venv
        echo "The browser tests need selenium 4.51.0, and PyPI could not be reached, or does not have it: see above." >&2
        echo "Nothing was tested. With a mirror, set PIP_INDEX_URL and run again." >&2
        exit 1
    fi
fi

export WEIR="${WEIR:-.build/release/weir}" SHOTS="${SHOTS:-.build/browser}"
"$python" Tests/Browser/test_player.py
"$python" Tests/Browser/test_radio.py
WEIR="${WEIR:-.build/release/weir}" SHOTS="${SHOTS:-.build/browser}" "$python" Tests/Browser/test_inspector.py
echo "Screenshots: ${SHOTS:-.build/browser}"

#!/usr/bin/env bash
# The pages in headless Chromium: Tests/Browser against the built `weir demo`. Screenshots stay in .build/browser.
# Exit code 75 means that the browser or its driver could not be had here, so that nothing was tested.
set -euo pipefail
cd "$(dirname "$0")/.."

unprepared() {
    echo "$*" >&2
    echo "The browser tests did not run." >&2
    exit 75
}

missing=()
for package in chromium chromium-driver python3-venv; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    echo "Installing: ${missing[*]}"
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" \
        || unprepared "These Debian packages could not be installed: ${missing[*]}."
fi

python=.build/browser/venv/bin/python
if [ ! -x "$python" ]; then
    python3 -m venv .build/browser/venv
    if ! "$python" -m pip install --quiet --disable-pip-version-check --retries 2 --timeout 20 'selenium==4.51.0'; then
        rm -rf .build/browser/venv
        unprepared "They need selenium 4.51.0, and PyPI could not be reached or does not have it: see above." \
            "With a mirror, set PIP_INDEX_URL and run again."
    fi
fi

export WEIR="${WEIR:-.build/release/weir}" SHOTS="${SHOTS:-.build/browser}"
for page in player radio inspector; do "$python" "Tests/Browser/test_$page.py"; done
echo "Screenshots: $SHOTS"

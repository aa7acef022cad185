"""Lets a Python program be a Weir adapter: reads messages, calls you, writes answers.

Copy this file beside your adapter; it needs the standard library only. The protocol is docs/adapter-protocol.md.

    from weir_adapter import fill, no_fill, run

    class Acme:
        version, formats = "1.0.0", ["video"]

        def set_up(self, settings): self.url = settings["url"]
        def make_requests(self, ask): return {"url": self.url}
        def outcome(self, ask, replies): return fill({"vast": replies[0]["body"]})

    run(Acme())

`make_requests` may return a list of up to four requests, which are sent side by side; `outcome` gets one reply for each
that Weir has not judged already, with its number in `request`. `set_up` may return requests as well, such as one for a
token: what comes back is handed to `set_up_replies(self, replies)`, which may want more. What both return otherwise is a
word for the operator about what was done, or nothing.

`log("...")` and `print` go to the gateway's log: the standard output itself belongs to the protocol.
"""

import json
import sys

API = 1


class Refusal(Exception):
    """Raise it in any method to say why there is no ad: a result, its reason (docs/errors.md), and a sentence."""

    def __init__(self, result, reason, message, code=None, words=None):
        super().__init__(message)
        self.answer = {"type": "outcome", "result": result, "reason": reason, "message": message}
        if code is not None:
            self.answer["network_code"] = str(code)
        if words is not None:
            self.answer["network_message"] = str(words)


class SetUpFailed(Exception):
    """Raise it in set_up; `retryable=False` when trying again cannot help."""

    def __init__(self, reason, remedy="Look at the adapter's log.", retryable=True):
        super().__init__(reason)
        self.answer = {"type": "failed", "reason": reason, "remedy": remedy, "retryable": retryable}


def fill(*offers):
    """The network offers these."""
    return {"type": "outcome", "result": "fill", "offers": list(offers)}


def no_fill(reason="no_ad", message="The network has nothing to sell.", code=None):
    """The network answered properly and has nothing to sell."""
    answer = {"type": "outcome", "result": "no_fill", "reason": reason, "message": message}
    if code is not None:
        answer["network_code"] = str(code)
    return answer


def log(text):
    """Writes a line to the gateway's log."""
    print(text, file=sys.stderr, flush=True)


def _requests(wanted):
    return {"type": "requests", "requests": wanted if isinstance(wanted, list) else [wanted]}


def _set_up(result):
    return _requests(result) if isinstance(result, (dict, list)) else {"type": "ready", "done": result}


def _answer(adapter, message):
    kind = message["type"]
    if kind == "hello":
        return {"type": "hello", "api": API, "version": adapter.version, "formats": adapter.formats}
    if kind == "set_up":
        return _set_up(adapter.set_up(message["settings"]))
    if kind == "replies":
        return _set_up(adapter.set_up_replies(message["replies"]))
    if kind == "make_requests":
        wanted = adapter.make_requests(message["ask"])
        return wanted if "type" in wanted else _requests(wanted)
    if kind == "outcome":
        return adapter.outcome(message["ask"], message["replies"])
    return {"type": "error", "message": f"unknown message {kind}"}


def run(adapter):
    """Answers the gateway until it says tear_down or goes away."""
    # A print would sit in its buffer and break into the protocol one day.
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] == "tear_down":
            break
        try:
            answer = _answer(adapter, message)
        except (Refusal, SetUpFailed) as refusal:
            answer = refusal.answer
        except Exception as error:  # One bad answer must not end the process.
            log(f"{type(error).__name__}: {error}")
            answer = {"type": "error", "message": f"{type(error).__name__}: {error}"}
        answer = {"type": answer["type"], "id": message["id"], **answer}
        try:
            line = json.dumps(answer, allow_nan=False)
        except ValueError:  # Python reads NaN and Infinity, which are no JSON, and would write them, too.
            refusal = Refusal("bad_response", "bad_json", "The network's answer holds a number that is none.")
            line = json.dumps({"id": message["id"], **refusal.answer})
        # Without the flush the answer would stay in a buffer, and the gateway would wait for it.
        output.write(line.encode() + b"\n")
        output.flush()

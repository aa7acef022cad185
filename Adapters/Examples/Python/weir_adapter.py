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

A slip costs one attempt and never the process: an exception that nobody catches, or an answer that is none, is told to the
gateway, and its traceback goes to the log. A price may be a decimal.Decimal.

`log("...")` and `print` go to the gateway's log: the standard output itself belongs to the protocol.
"""

import decimal
import json
import sys
import traceback

API = 1

# So many characters of a wrong value, and of an exception, are told.
_SHOWN, _WORDS = 200, 1000


class _NoNumber(ValueError):
    """NaN or an infinity in a Decimal."""


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


def _shown(value):
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + " …"


def _requests(wanted, method):
    requests = list(wanted) if isinstance(wanted, (list, tuple)) else [wanted]
    for request in requests:
        if not isinstance(request, dict) or "url" not in request:
            raise TypeError(f"{method} returned {_shown(wanted)}: a request is a dict with a url")
    return {"type": "requests", "requests": requests}


def _set_up(result, method):
    if isinstance(result, (dict, list, tuple)):
        return _requests(result, method)
    return {"type": "ready", "done": result if result is None else str(result)}


def _outcome(answer, method):
    if not isinstance(answer, dict) or not isinstance(answer.get("type"), str):
        raise TypeError(f"{method} returned {_shown(answer)}: return fill(…) or no_fill(…), or raise Refusal(…)")
    return answer


def _answer(adapter, message):
    kind = message["type"]
    if kind == "hello":
        return {"type": "hello", "api": API, "version": adapter.version, "formats": list(adapter.formats)}
    if kind == "set_up":
        return _set_up(adapter.set_up(message["settings"]), "set_up")
    if kind == "replies":
        return _set_up(adapter.set_up_replies(message["replies"]), "set_up_replies")
    if kind == "make_requests":
        wanted = adapter.make_requests(message["ask"])
        if isinstance(wanted, dict) and "type" in wanted:
            return _outcome(wanted, "make_requests")
        return _requests(wanted, "make_requests")
    if kind == "outcome":
        return _outcome(adapter.outcome(message["ask"], message["replies"]), "outcome")
    return {"type": "error", "message": f"unknown message {kind}"}


def _plain(value):
    """What json.dumps asks about values that JSON does not have."""
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise _NoNumber
        # No powers of ten, unless there would be no end of zeros.
        return format(value, "f") if abs(value.adjusted()) < 100 else str(value)
    raise TypeError(f"the answer holds {_shown(value)}, and JSON has no {type(value).__name__}")


def _line(answer, id):
    """An answer as a line. The type and the id stand first, where Weir looks for them."""
    others = {key: value for key, value in answer.items() if key not in ("type", "id")}
    answer = {"type": answer["type"], "id": id, **others}
    try:
        return json.dumps(answer, allow_nan=False, default=_plain)
    except ValueError as error:
        # Python reads NaN and Infinity, which are no JSON, and would write them, too.
        if answer["type"] != "outcome" or not (isinstance(error, _NoNumber) or "Out of range" in str(error)):
            raise
        refusal = Refusal("bad_response", "bad_json", "The network's answer holds a number that is none.")
        return json.dumps({"id": id, **refusal.answer})


def _respond(adapter, message):
    """The line for a message: whatever goes wrong in between costs one attempt and never the process."""
    try:
        try:
            answer = _answer(adapter, message)
        except (Refusal, SetUpFailed) as refusal:
            answer = refusal.answer
        return _line(answer, message["id"])
    except Exception as error:
        traceback.print_exc()
        words = f"{type(error).__name__}: {error}"[:_WORDS]
        return _line({"type": "error", "message": words}, message["id"])


def run(adapter):
    """Answers the gateway until it says tear_down or goes away."""
    # A print would sit in its buffer and break into the protocol one day.
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["type"] == "tear_down":
            break
        # Without the flush the answer would stay in a buffer, and the gateway would wait for it.
        output.write(_respond(adapter, message).encode() + b"\n")
        output.flush()

-- One playhead input a second on each connection, session after session; run by Benchmarks/sessions.py.
--
-- Clients begin at different moments of the second, as in life; with BURST=1 all send in the same one. Each answer says
-- which input was the last one taken: of each round there have to be as many such answers as there are sessions.
local ids, seqs, turn, calls = {}, {}, 0, 0
for line in io.lines(os.getenv("SESSIONS")) do ids[#ids + 1] = line; seqs[#seqs + 1] = 0 end
local spread = os.getenv("BURST") ~= "1"
local threads = {}
answered, wrong, sessions, rounds = 0, 0, #ids, {}
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
function setup(thread) threads[#threads + 1] = thread end
function delay()
  calls = calls + 1
  if spread and calls <= #ids then return math.random(0, 999) end
  return 1000
end
local isTried = false
function request()
  -- Before it begins, wrk has one request made that is never sent.
  if not isTried then isTried = true return wrk.format(nil, "/") end
  turn = turn % #ids + 1
  seqs[turn] = seqs[turn] + 1
  local body = string.format('{"inputs":[{"seq":%d,"type":"playhead","position_ms":%d}]}', seqs[turn], seqs[turn] * 1000)
  return wrk.format(nil, "/v1/sessions/" .. ids[turn] .. "/inputs", nil, body)
end
function response(status, headers, body)
  local taken = tonumber(body:match('"client_seq":(%d+)'))
  if status ~= 200 or not taken then wrong = wrong + 1 return end
  answered = answered + 1
  rounds[taken] = (rounds[taken] or 0) + 1
end
function done(summary, latency)
  local good, bad = 0, 0
  for _, thread in ipairs(threads) do
    good, bad = good + thread:get("answered"), bad + thread:get("wrong")
    -- The last two rounds may be under way when the clock stops.
    local counts, expected = thread:get("rounds"), thread:get("sessions")
    for round = 1, #counts - 2 do bad = bad + math.abs(counts[round] - expected) end
  end
  io.write(string.format("RESULT %d %d %d %.2f %.2f %.2f %.2f\n", good, bad,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(90) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end

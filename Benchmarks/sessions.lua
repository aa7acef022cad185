-- One playhead input a second on each connection, session after session; run by Benchmarks/sessions.py.
local ids, seqs, turn = {}, {}, 0
for line in io.lines(os.getenv("SESSIONS")) do ids[#ids + 1] = line; seqs[#seqs + 1] = 0 end
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
function delay() return 1000 end
function request()
  turn = turn % #ids + 1
  seqs[turn] = seqs[turn] + 1
  local body = string.format('{"inputs":[{"seq":%d,"type":"playhead","position_ms":%d}]}', seqs[turn], seqs[turn] * 1000)
  return wrk.format(nil, "/v1/sessions/" .. ids[turn] .. "/inputs", nil, body)
end
function done(summary, latency)
  io.write(string.format("RESULT %d %d %d %.2f %.2f %.2f %.2f\n", summary.requests,
    summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(90) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end

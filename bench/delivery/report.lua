-- For wrk: random ranges when RANGE_FILE_SIZE is set, and the result as one line of JSON.
local size = tonumber(os.getenv("RANGE_FILE_SIZE") or "0")
local length = tonumber(os.getenv("RANGE_LENGTH") or "1048576")

function init(args)
  math.randomseed(os.time())
end

if size > 0 then
  function request()
    local first = math.random(0, size - length)
    wrk.headers["Range"] = "bytes=" .. first .. "-" .. (first + length - 1)
    return wrk.format()
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    'JSON {"requests":%d,"bytes":%d,"microseconds":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end

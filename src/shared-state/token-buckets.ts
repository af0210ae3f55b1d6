import type { TokenBuckets } from '../lib/token-bucket.ts';
import type { Connection } from './connection.ts';

/**
 * The algorithm of `lib/token-bucket.ts`, by the clock of the server. Stored values that are no numbers count as a full
 * bucket. KEYS: the bucket. ARGV: cost, capacity, tokens per second, 1 if the bucket may go into debt.
 * Returns whether the tokens were granted, and the tokens before and after.
 */
const script = `
local cost, capacity, perSecond = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local mayBorrow = ARGV[4] == '1'
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local stored = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(stored[1]), tonumber(stored[2])
if not left or left ~= left or not at then left, at = capacity, now end
left = left + math.max(0, now - at) * perSecond / 1000
left = math.min(capacity, math.max(mayBorrow and -capacity or 0, left))
local needed = math.min(cost, capacity)
local granted = mayBorrow or left >= needed
local remaining = granted and left - needed or left
redis.call('HSET', KEYS[1], 'left', remaining, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(2 * capacity / perSecond * 1000) + 1000)
return { granted and 1 or 0, tostring(math.max(0, (needed - left) * 1000 / perSecond)), tostring(remaining) }
`;

/** Buckets that all replicas share. While the server is unreachable each replica uses `local`. */
export const createSharedTokenBuckets = (
  connection: Pick<Connection, 'run'>,
  keyOf: (bucket: string) => string,
  local: TokenBuckets,
): TokenBuckets => ({
  async take(key, cost, rate, mayBorrow = false) {
    const { capacity, perSecond } = rate;
    const reply = await connection.run((client) =>
      client.eval(script, 1, keyOf(key), cost, capacity, perSecond, mayBorrow ? 1 : 0),
    );
    if (!Array.isArray(reply)) return local.take(key, cost, rate, mayBorrow);
    return { granted: reply[0] === 1, waitMs: Number(reply[1]), remaining: Number(reply[2]) };
  },
});

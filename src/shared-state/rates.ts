import type { RateStore } from '../kernel/rate-store.ts';
import type { Connection } from './connection.ts';
import type { Keys } from './keys.ts';

/** By the server's own clock, so that those of the gateways do not matter. What is kept there is not trusted to be a number. */
const take = `
local cost, capacity, perSecond = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(kept[1]), tonumber(kept[2])
if not left or left ~= left or not at then left, at = capacity, now end
left = math.max(0, math.min(capacity, left + math.max(0, now - at) * perSecond / 1000))
local granted = 0
if left >= cost then granted, left = 1, left - cost end
redis.call('HSET', KEYS[1], 'left', left, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(capacity / perSecond * 1000) + 1000)
return { granted, tostring(left) }
`;

/** Buckets that all replicas draw from; while the server is away each draws from its own. */
export const createSharedRates = (
  connection: Pick<Connection, 'ask'>,
  keys: Keys,
  local: RateStore,
): RateStore => ({
  async take(key, cost, rate) {
    const { capacity, perSecond } = rate;
    const answer = await connection.ask((client) =>
      client.eval(take, 1, keys.rate(key), cost, capacity, perSecond),
    );
    if (!Array.isArray(answer)) return local.take(key, cost, rate);
    const granted = answer[0] === 1;
    const remaining = Number(answer[1]);
    const waitMs = granted ? 0 : Math.ceil(((cost - remaining) / perSecond) * 1_000);
    return { granted, waitMs, remaining };
  },
});

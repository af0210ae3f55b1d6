import type { TurnStore } from '../kernel/turn-store.ts';
import type { Connection } from './connection.ts';
import type { Keys } from './keys.ts';

/** By the server's own clock, as the buckets of callers; a turn may be taken before it is there, and is waited for. */
const take = `
local perSecond = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(kept[1]), tonumber(kept[2])
if not left or left ~= left or not at then left, at = perSecond, now end
left = math.max(-perSecond, math.min(perSecond, left + math.max(0, now - at) * perSecond / 1000)) - 1
redis.call('HSET', KEYS[1], 'left', left, 'at', now)
redis.call('PEXPIRE', KEYS[1], 10000)
return tostring(math.max(0, -left * 1000 / perSecond))
`;

/** Turns that all replicas take from one another; while the server is away each has its own. */
export const createSharedTurns = (
  connection: Pick<Connection, 'ask'>,
  key: ReturnType<Keys['turns']>,
  perSecond: number,
  local: TurnStore,
): TurnStore => ({
  async take() {
    const answer = await connection.ask((client) => client.eval(take, 1, key, perSecond));
    const waitMs = typeof answer === 'string' ? Number(answer) : Number.NaN;
    return Number.isFinite(waitMs) ? waitMs : local.take();
  },
});

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Clock } from '../kernel/clock.ts';
import type { Connection } from './connection.ts';
import type { Keys } from './keys.ts';

export interface AnswersOptions {
  readonly connection: Pick<Connection, 'ask'>;
  readonly keys: Keys;
  readonly clock: Clock;
  /** Names this replica among all. */
  readonly replica: string;
}

/** A reply that some replica was given, and how old it is at most. */
interface SharedAnswer {
  readonly text: string;
  readonly ageMs: number;
}

/** Longer texts are not shared, as characters when packed and as bytes when not. */
const [mostPacked, mostBytes] = [2_000_000, 16_000_000];
/** So long whoever asks the upstream keeps others from asking for the same. */
const askingMs = 3_000;
const lookEveryMs = 50;

/**
 * The answer when it is young enough, as what is kept and the time of the server; else whose turn it is to ask. What is
 * kept begins with the server's time at which it was asked for. KEYS: the answer, who is asking. ARGV: the replica, the
 * greatest age, for how long it may ask, what is read at most.
 */
const look = `
local time = redis.call('TIME')
local now = math.floor(time[1] * 1000 + time[2] / 1000)
local kept = redis.call('GETRANGE', KEYS[1], 0, ARGV[4])
local at = tonumber(string.match(kept, '^(%d+) '))
if at and at <= now and now - at < tonumber(ARGV[2]) then return { kept, now - at } end
if redis.call('GET', KEYS[2]) == ARGV[1] then return 'ask' end
return redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[3]) and 'ask' or 'wait'
`;

/** Keeps what was asked for, if anything, and lets others ask. ARGV: the replica, what to keep, how long. */
const tell = `
if ARGV[2] ~= '' then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
`;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/**
 * Replies that every replica needs and one of them asks for. Nothing secret belongs here, and nothing that money depends on:
 * whatever is read here may have been written by anybody.
 *
 * Ages are told by the clock of the server, and never too low by what travelling took.
 */
export function createSharedAnswers({ connection, keys, clock, replica }: AnswersOptions) {
  /** The time of the server when this was called, or a little before; undefined when it is away. */
  const serverTimeMs = async (): Promise<number | undefined> => {
    const calledAtMs = clock.monotonicMs();
    const time = await connection.ask((client) => client.time());
    if (!time) return undefined;
    const toldAtMs = Math.floor(Number(time[0]) * 1_000 + Number(time[1]) / 1_000);
    return toldAtMs - Math.ceil(clock.monotonicMs() - calledAtMs);
  };

  const lookFor = (key: string, maxAgeMs: number) =>
    connection.ask((client) =>
      client.eval(
        look,
        2,
        keys.answer(key),
        keys.asking(key),
        replica,
        maxAgeMs,
        askingMs,
        mostPacked,
      ),
    );

  const keep = async (key: string, kept: string, maxAgeMs: number): Promise<void> => {
    await connection.ask((client) =>
      client.eval(tell, 2, keys.answer(key), keys.asking(key), replica, kept, maxAgeMs),
    );
  };

  return {
    /**
     * The answer when one is younger than that; else null, and it is the turn of whoever was told so to ask. While another
     * replica is asking it waits for that, for three seconds at most.
     */
    async take(key: string, maxAgeMs: number, signal?: AbortSignal): Promise<SharedAnswer | null> {
      const beganMs = clock.monotonicMs();
      while (clock.monotonicMs() - beganMs < askingMs) {
        const askedMs = clock.monotonicMs();
        const found = await lookFor(key, maxAgeMs);
        if (Array.isArray(found)) {
          const text = await textOf(String(found[0]));
          const ageMs = Number(found[1]) + (clock.monotonicMs() - askedMs);
          return text === null || ageMs >= maxAgeMs ? null : { text, ageMs };
        }
        if (found !== 'wait') return null;
        await clock.wait(lookEveryMs, signal);
      }
      return null;
    },
    /** To be called before the upstream is asked; what that returns takes the text of the reply, or null without one. */
    ask(key: string, maxAgeMs: number): (text: string | null) => Promise<void> {
      const askedAt = serverTimeMs();
      return async (text) => {
        const packed = text === null ? null : await packedOf(text);
        const askedAtMs = await askedAt;
        const isKept = packed !== null && askedAtMs !== undefined;
        await keep(key, isKept ? `${askedAtMs} ${packed}` : '', maxAgeMs);
      };
    },
  };
}

async function packedOf(text: string): Promise<string | null> {
  if (text.length > mostBytes) return null;
  const packed = (await pack(text)).toString('base64');
  return packed.length < mostPacked ? packed : null;
}

/** Null for what we have not packed, or packed too large. */
async function textOf(kept: string): Promise<string | null> {
  try {
    const packed = Buffer.from(kept.slice(kept.indexOf(' ') + 1), 'base64');
    return (await unpack(packed, { maxOutputLength: mostBytes })).toString();
  } catch {
    return null;
  }
}

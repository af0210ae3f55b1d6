import { Redis, type RedisOptions, ReplyError } from 'iovalkey';
import type { Clock } from '../kernel/clock.ts';
import type { Secret } from '../kernel/secret.ts';
import { unlessAborted } from '../kernel/unless-aborted.ts';
import type { Log } from '../observability/log.ts';

export interface ConnectionOptions {
  /** `redis://user:password@host:6379/0`, or `rediss` for TLS. */
  readonly url: Secret;
  readonly clock: Clock;
  readonly log: Log;
  /** A server that does not answer within so many milliseconds is away; default 100. */
  readonly answerWithinMs?: number | undefined;
}

/** One Valkey or Redis server that may be away at any time: nothing here throws, and nothing waits for it for long. */
export interface Connection {
  /** What the server answers; undefined when it is away or refuses, at once while that is known. */
  ask<T>(command: (client: Redis) => Promise<T>): Promise<T | undefined>;
  /** Hears what is published there from now on, but for what is while the server is away. */
  subscribe(channel: string, hear: (message: string) => void): void;
  close(): void;
}

/** While it is away one call in so long a time finds out whether it is back; all others do without it at once. */
const trialEveryMs = 1_000;
/** The gateway starts without the server after so long. */
const firstWaitMs = 1_000;

const options: RedisOptions = {
  lazyConnect: true,
  family: 0,
  connectTimeout: 2_000,
  commandTimeout: 2_000,
  keepAlive: 10_000,
  // Nothing waits for a server that is away, and nothing is sent a second time.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2_000),
};

const noMatter = () => undefined;

/** Connects, or goes on trying in the background when that takes longer than a second. */
export async function openConnection(connecting: ConnectionOptions): Promise<Connection> {
  const { url, clock, log, answerWithinMs = 100 } = connecting;
  const commands = new Redis(url.reveal(), options);
  const subscriber = new Redis(url.reveal(), options);
  const listeners = new Map<string, (message: string) => void>();
  let isClosed = false;
  let isAway = false;
  let nextTrialMs = -Infinity;
  const telling = {
    commands: createReporter(log, 'commands'),
    events: createReporter(log, 'events'),
  };

  const reconnect = () => {
    // Both lead to the same server, and the subscriber by itself would not notice that it is silent.
    for (const client of [commands, subscriber]) client.disconnect(true);
  };

  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    using deadline = clock.deadline(answerWithinMs);
    try {
      return await unlessAborted(answer, deadline.signal);
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      // What arrived while this process itself was busy is read after its timers have rung.
      await clock.wait(0);
      return Promise.race([answer, Promise.reject(error)]);
    }
  };

  const failed = (error: unknown, isTrial: boolean) => {
    if (isClosed) return;
    telling.commands(codeOf(error));
    if (error instanceof ReplyError) return;
    // Silent for a second as well: it may be gone without a word, and only a new connection would tell.
    if (isTrial && commands.status === 'ready') reconnect();
    isAway = true;
    nextTrialMs = clock.monotonicMs() + trialEveryMs;
  };

  const isWorthAsking = (): boolean => {
    if (commands.status !== 'ready') return false;
    if (!isAway) return true;
    if (clock.monotonicMs() < nextTrialMs) return false;
    nextTrialMs = clock.monotonicMs() + trialEveryMs;
    return true;
  };

  const listen = (channel: string) => {
    subscriber.subscribe(channel).then(
      () => telling.events(null),
      (error) => {
        if (isClosed) return;
        telling.events(codeOf(error));
        // A refusal would only be repeated.
        if (!(error instanceof ReplyError)) subscriber.disconnect(true);
      },
    );
  };

  commands.on('ready', () => {
    isAway = false;
    telling.commands(null);
  });
  subscriber.on('ready', () => {
    for (const channel of listeners.keys()) listen(channel);
  });
  subscriber.on('message', (channel, message) => listeners.get(channel)?.(message));
  for (const [client, tell] of [
    [commands, telling.commands],
    [subscriber, telling.events],
  ] as const) {
    client.on('error', (error) => tell(codeOf(error)));
    client.on('close', () => {
      if (!isClosed) tell('CLOSED');
    });
  }

  const waited = new AbortController();
  await Promise.race([
    Promise.all([commands.connect(), subscriber.connect()]).catch(noMatter),
    clock.wait(firstWaitMs, waited.signal).catch(noMatter),
  ]);
  waited.abort();

  return {
    async ask(command) {
      if (!isWorthAsking()) return undefined;
      const isTrial = isAway;
      try {
        const answer = await inTime(command(commands));
        isAway = false;
        telling.commands(null);
        return answer;
      } catch (error) {
        failed(error, isTrial);
        return undefined;
      }
    },
    subscribe(channel, hear) {
      listeners.set(channel, hear);
      if (subscriber.status === 'ready') listen(channel);
    },
    close() {
      isClosed = true;
      for (const client of [commands, subscriber]) client.disconnect();
    },
  };
}

/** Logs what has changed: null for all well, else a code. The words of an error are not told, as they may hold an address. */
function createReporter(log: Log, action: string) {
  let isWell: boolean | null = null;
  return (code: string | null): void => {
    const wasWell = isWell;
    isWell = code === null;
    if (isWell === wasWell) return;
    if (code === null) log.info('shared state is there', { action });
    else log.warn('shared state is away: each gateway goes by its own', { action, code });
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('code' in error) return String(error.code);
  const [word = ''] = error.message.split(' ');
  return /^[A-Z]+$/.test(word)
    ? word
    : error.message === 'Command timed out'
      ? 'TIMEOUT'
      : 'BROKEN';
}

import { Redis, type RedisOptions, ReplyError } from 'iovalkey';
import type { Secret } from '../kernel/secret.ts';
import type { Clock } from '../lib/clock.ts';
import { errorCodeOf } from '../lib/error-code.ts';
import { raceAbort } from '../lib/race-abort.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { Log } from '../observability/log.ts';

export interface ConnectionOptions {
  /** `redis://user:password@host:6379/0`, or `rediss` for TLS. */
  readonly url: Secret;
  readonly clock: Clock;
  readonly log: Log;
  /** A server that does not reply within this time counts as unreachable; default 100. */
  readonly replyTimeoutMs?: number | undefined;
}

/** While the server is unreachable one command in this time tries it; all others fail immediately. */
const trialEveryMs = 1_000;
/** The gateway starts without the server after this time. */
const firstWaitMs = 1_000;

const redisOptions: RedisOptions = {
  lazyConnect: true,
  family: 0,
  connectTimeout: 2_000,
  commandTimeout: 2_000,
  keepAlive: 10_000,
  // No command waits for an unreachable server, and none is sent twice.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  retryStrategy: reconnectDelayMs,
};

/** The pause before attempt 1, 2, … to reconnect. */
export function reconnectDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** attempt, 2_000);
}

/** One Valkey or Redis server that may be unreachable at any time. No function throws or waits for long. */
export class Connection {
  readonly #clock: Clock;
  readonly #replyTimeoutMs: number;
  readonly #commands: Redis;
  readonly #subscriber: Redis;
  readonly #listeners = new Map<string, (message: string) => void>();
  readonly #reportCommands: (code: string | null) => void;
  readonly #reportEvents: (code: string | null) => void;
  #isClosed = false;
  #isUnreachable = false;
  #nextTrialMs = 0;

  private constructor({ url, clock, log, replyTimeoutMs = 100 }: ConnectionOptions) {
    this.#clock = clock;
    this.#replyTimeoutMs = replyTimeoutMs;
    this.#commands = new Redis(url.reveal(), redisOptions);
    this.#subscriber = new Redis(url.reveal(), redisOptions);
    this.#reportCommands = createReporter(log, 'commands');
    this.#reportEvents = createReporter(log, 'events');
  }

  /** Connects; after a second it resolves and goes on connecting in the background. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    connection.#listen();
    const clients = [connection.#commands, connection.#subscriber];
    const connecting = Promise.all(clients.map((client) => client.connect()));
    await withTimeout(options.clock, firstWaitMs, connecting, null).catch(() => null);
    return connection;
  }

  /** The reply to a command; undefined when the server refuses it or is unreachable, immediately while that is known. */
  async run<T>(command: (client: Redis) => Promise<T>): Promise<T | undefined> {
    if (!this.#mayTry()) return undefined;
    const isTrial = this.#isUnreachable;
    try {
      const reply = await this.#withTimeout(command(this.#commands));
      this.#isUnreachable = false;
      this.#reportCommands(null);
      return reply;
    } catch (error) {
      this.#handleError(error, isTrial);
      return undefined;
    }
  }

  /** Calls `listener` for each message from now on; messages sent while the server is unreachable are lost. */
  subscribe(channel: string, listener: (message: string) => void): void {
    this.#listeners.set(channel, listener);
    if (this.#subscriber.status === 'ready') this.#subscribe(channel);
  }

  close(): void {
    this.#isClosed = true;
    for (const client of [this.#commands, this.#subscriber]) client.disconnect();
  }

  #listen(): void {
    this.#commands.on('ready', () => {
      this.#isUnreachable = false;
      this.#reportCommands(null);
    });
    this.#subscriber.on('ready', () => {
      for (const channel of this.#listeners.keys()) this.#subscribe(channel);
    });
    this.#subscriber.on('message', (channel, message) => this.#listeners.get(channel)?.(message));
    for (const [client, report] of [
      [this.#commands, this.#reportCommands],
      [this.#subscriber, this.#reportEvents],
    ] as const) {
      client.on('error', (error) => report(codeOf(error)));
      client.on('close', () => {
        if (!this.#isClosed) report('CLOSED');
      });
    }
  }

  #subscribe(channel: string): void {
    this.#subscriber.subscribe(channel).then(
      () => this.#reportEvents(null),
      (error) => {
        if (this.#isClosed) return;
        this.#reportEvents(codeOf(error));
        // A server that refused would refuse again.
        if (!(error instanceof ReplyError)) this.#subscriber.disconnect(true);
      },
    );
  }

  async #withTimeout<T>(reply: Promise<T>): Promise<T> {
    using deadline = this.#clock.deadline(this.#replyTimeoutMs);
    try {
      return await raceAbort(reply, deadline.signal);
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      // After a long turn of the event loop the timer fires before a reply that has arrived is read.
      await this.#clock.wait(0);
      return await Promise.race([reply, Promise.reject(error)]);
    }
  }

  #mayTry(): boolean {
    if (this.#commands.status !== 'ready') return false;
    if (!this.#isUnreachable) return true;
    if (this.#clock.monotonicMs() < this.#nextTrialMs) return false;
    this.#nextTrialMs = this.#clock.monotonicMs() + trialEveryMs;
    return true;
  }

  #handleError(error: unknown, isTrial: boolean): void {
    if (this.#isClosed) return;
    this.#reportCommands(codeOf(error));
    if (error instanceof ReplyError) return;
    // Two timeouts in a row: the server may have vanished without closing the socket, which only a new connection detects.
    if (isTrial && this.#commands.status === 'ready') this.#reconnect();
    this.#isUnreachable = true;
    this.#nextTrialMs = this.#clock.monotonicMs() + trialEveryMs;
  }

  /** Both clients: the subscriber sends nothing, so it would not notice a dead socket. */
  #reconnect(): void {
    for (const client of [this.#commands, this.#subscriber]) client.disconnect(true);
  }
}

/** Logs changes only; null means reachable. The text of an error is not logged, because it may contain an address. */
function createReporter(log: Log, action: string) {
  let isReachable: boolean | null = null;
  return (code: string | null): void => {
    const wasReachable = isReachable;
    isReachable = code === null;
    if (isReachable === wasReachable) return;
    if (code === null) log.info('shared state is reachable', { action });
    else log.warn('shared state is unreachable: each replica uses its own', { action, code });
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  // Of the deadline, whose `code` is a number of the DOM, and of the client.
  if (error.name === 'TimeoutError' || error.message === 'Command timed out') return 'TIMEOUT';
  return errorCodeOf(error) ?? /^[A-Z]+(?= |$)/.exec(error.message)?.[0] ?? 'BROKEN';
}

import type { Randomness } from '../kernel/clock.ts';
import type { RateStore } from '../kernel/rate-store.ts';
import type { TurnStore } from '../kernel/turn-store.ts';
import { createSharedAnswers } from './answers.ts';
import { type ConnectionOptions, openConnection } from './connection.ts';
import { createEvents } from './events.ts';
import { keysOf } from './keys.ts';
import { createSharedRates } from './rates.ts';
import { createSharedTurns } from './turns.ts';

export type SharedState = Awaited<ReturnType<typeof openSharedState>>;

/**
 * What the replicas of a gateway share over Valkey or Redis. Without the server, or while it is away, each goes by what it
 * has itself: that is slower, and never wrong.
 */
export async function openSharedState({
  randomness,
  ...options
}: ConnectionOptions & { readonly randomness: Randomness }) {
  const connection = await openConnection(options);
  const { clock } = options;
  const replica = randomness.uuid();
  return {
    /** Of one reseller account; to be called once for each. */
    of(account: string) {
      const keys = keysOf(account);
      return {
        ...createEvents(connection, keys, replica),
        answers: createSharedAnswers({ connection, keys, clock, replica }),
        /** `local` serves while the server is away. */
        rates: (local: RateStore): RateStore => createSharedRates(connection, keys, local),
        /** Of the calls to one API. */
        turns: (api: string, perSecond: number, local: TurnStore): TurnStore =>
          createSharedTurns(connection, keys.turns(api), perSecond, local),
      };
    },
    close: (): void => connection.close(),
  };
}

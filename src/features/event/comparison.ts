import type { Balances } from '../../modules/balance/balance.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import type { NewEvent } from './log.ts';
import type { StateChange } from './store.ts';

/** One round of comparisons. What several of them need is read once. */
export interface Round {
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** The last known states by subject. */
  readonly states: ReadonlyMap<string, string>;
  /** One `getdomainlist`. */
  readonly portfolio: () => Promise<Portfolio>;
  /** One `resellerdetails`. */
  readonly balances: () => Promise<Balances>;
}

/** Compares some subjects with their last known states. */
export interface Comparison {
  /**
   * The states that differ from the known ones, with the events of the differences.
   *
   * @throws Fault when something cannot be read; then no state is stored.
   */
  find(round: Round): Promise<readonly StateChange[]>;
  /** Called when all changes of `find` are stored. */
  stored?(): Promise<void>;
}

/** The facts of an event that no request to this gateway caused, and that is not about a domain. */
export const fromUpstream = {
  domain: null,
  purchaseId: null,
  source: 'UPSTREAM',
  caller: null,
} as const satisfies Partial<NewEvent>;

/** The state of a subject as JSON, with events; none when it equals the known state. */
export function changeOf(
  subject: string,
  known: string | undefined,
  state: object,
  events: () => readonly NewEvent[],
): readonly StateChange[] {
  const seen = JSON.stringify(state);
  return seen === known ? [] : [{ subject, before: known ?? null, seen, events: events() }];
}

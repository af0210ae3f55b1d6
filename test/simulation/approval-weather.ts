import { type ApprovalRule, createApprovalRules } from '../../src/features/approval/rules.ts';
import { money } from '../../src/kernel/money.ts';
import type { Random } from './random.ts';

/** A client that decides about waiting requests. */
export interface Decider {
  /** The name of its API key; null without one. */
  readonly caller: string | null;
  readonly startsAfterMs: number;
  readonly everyMs: number;
  /** The share of decisions that reject. */
  readonly rejects: number;
}

/** The rules of a run, and the clients that decide. */
export interface ApprovalWeather {
  readonly rules: ReturnType<typeof createApprovalRules>;
  /** A single purchase and an order above this cost always need an approval. Ten-thousandths of a USD. */
  readonly above: number;
  /** When the file of rules becomes another one, which adds rules and never removes one. */
  readonly changesAtMs: number;
  readonly laterRules: ReturnType<typeof createApprovalRules>;
  readonly deciders: readonly Decider[];
  /** How often each process looks for approvals that have expired. */
  readonly pollEveryMs: number;
  /** When all prices of the service become higher, and how often they do. */
  readonly priceRises: { readonly atMs: number; readonly factor: number };
  /** The longest time that a wall clock can differ from another one. */
  readonly clockErrorMs: number;
}

/** The keys of the person who requests. */
export const samePerson: readonly string[] = ['shop', 'shop-2'];

const second = 1_000;

/** Chooses the rules of a run: from some costs on, or for everything. */
export function planApprovals(
  random: Random,
  clockErrorMs: number,
  hasOrders: boolean,
): ApprovalWeather {
  const amount = random.pick(['0.0000', '0.0000', '11.0000', '12.0000']);
  const expiresAfterMs = second * (random.chance(0.05) ? 1_200 : random.pick([20, 60, 60, 180]));
  const rule = (position: number, when: ApprovalRule['when']): ApprovalRule => ({
    ...{ position, when, expiresAfterMs },
    operations: ['REGISTRATION', 'TRANSFER', 'BULK_CHANGE'],
  });
  const first = rule(1, { costAbove: money(amount, 'USD') });
  const added = rule(2, {});
  const deciders = Array.from(
    { length: 2 + random.index(4) },
    (): Decider => ({
      caller: random.pick(['chief', 'chief', 'deputy', 'deputy', 'shop', 'shop-2', null]),
      startsAfterMs: random.between(0, 20 * second),
      everyMs: random.pick([5, 10, 40, expiresAfterMs / second]) * second,
      rejects: random.pick([0, 0.2, 0.5]),
    }),
  );
  return {
    rules: createApprovalRules([first], [samePerson]),
    above: Math.round(Number(amount) * 10_000),
    changesAtMs: random.chance(0.3) ? random.between(0, 60 * second) : Infinity,
    laterRules: createApprovalRules([first, added], [samePerson]),
    deciders,
    // Most statements of a run would be polls.
    pollEveryMs: random.pick([1, 10, 10, 20]) * second,
    // Between the request and the decision of an order, which few runs have.
    priceRises: random.chance(hasOrders ? 0.8 : 0.3)
      ? { atMs: random.between(0, 60 * second), factor: random.pick([1.1, 2]) }
      : { atMs: Infinity, factor: 1 },
    clockErrorMs,
  };
}

import { Fault } from '../../kernel/faults.ts';
import type { Decimal, Money } from '../../kernel/money.ts';
import { sharedHook } from '../../scope/tenant.ts';

/** A request that was held. */
export interface HeldInput {
  /** Of the `HeldRequest`. */
  readonly id: string;
  /** Hash of the input that the decision must be about. */
  readonly fingerprint: string;
}

/** The decision about a request that was held. */
export interface Verdict {
  /** Why nothing may be sent; null when it was released. */
  readonly refusal: Fault | null;
  /** The highest cost that it is about; null when it has none. */
  readonly cost: Money | null;
  readonly decidedAt: Date | null;
  /** Why nothing is sent for a cost above the one that the decision is about; null for the reason of a purchase that was not held. */
  readonly costRose: Fault | null;
  /** How far the cost may rise above that of the quote, as a factor; null when it may not. */
  readonly highestRise: Decimal | null;
  /** Whether a purchase that the balance or a spend limit refuses may wait until a day after `decidedAt`. */
  readonly waitsForFunds: boolean;
}

/** The requests that one feature held. */
export interface Holds {
  /** The name of the feature. */
  readonly by: string;
  verdict(held: HeldInput): Promise<Verdict>;
  /**
   * Ends the wait of a job that is cancelled. Returns the fault of a purchase that ends with it; null when it does not wait: there is a
   * decision, or the wait has ended.
   */
  cancel(jobId: string): Promise<Fault | null>;
  /** The next step for the client of a purchase that waits, in a sentence; null when the feature holds no single purchases. */
  readonly nextStep: string | null;
  /** Whether requests of models with tools can be held. */
  holdsTools(): boolean;
}

export const noDecision = new Fault('FORBIDDEN', {
  message: 'The part of the gateway that holds this is left out, so nothing was sent.',
});

/** Without the feature that held it, a request is never sent. */
export const holds = sharedHook<Holds>('holds');

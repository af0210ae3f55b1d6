import { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import { tenantHook } from '../../scope/tenant.ts';

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
}

/** The requests that were held. */
export interface Holds {
  verdict(held: HeldInput): Promise<Verdict>;
  /**
   * Ends the wait of a job that is cancelled. Returns the fault of a purchase that ends with it; null when it does not wait: there is a
   * decision, or the wait has ended.
   */
  cancel(jobId: string): Promise<Fault | null>;
  /** Why nothing is sent for a cost above the one that the decision is about. */
  readonly costRose: Fault;
  /** The next step for the client of a purchase that waits, in a sentence. */
  readonly nextStep: string;
  /** Whether requests of models with tools can be held. */
  holdsTools(): boolean;
}

const noDecision = new Fault('FORBIDDEN', {
  message: 'The part of the gateway that holds this is left out, so nothing was sent.',
});

/** By default nothing that was held is ever sent. */
export const holds = tenantHook<Holds>('holds', () => ({
  verdict: async () => ({ refusal: noDecision, cost: null, decidedAt: null }),
  cancel: async () => null,
  costRose: noDecision,
  nextStep: noDecision.message,
  holdsTools: () => false,
}));

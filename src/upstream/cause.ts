import type { CallBudget } from '../kernel/call-budget.ts';

/** Which request caused a call; of a call that several share, whoever came first. */
export interface Cause {
  readonly requestId?: string | undefined;
  /** Whatever the onlooker put into the request; nobody else reads it. */
  readonly trace?: unknown;
  /** What the request may cause; a call is taken from it when it begins. Without one there is no end to it. */
  readonly budget?: CallBudget | undefined;
}

/** Of all that a call was asked with, who asked. */
export const causeOf = ({ requestId, trace, budget }: Cause): Cause => ({
  requestId,
  trace,
  budget,
});

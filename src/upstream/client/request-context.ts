import type { CallBudget } from '../../kernel/call-budget.ts';

/** The GraphQL request that caused a call; for a shared call, the first of its requests. */
export interface RequestContext {
  readonly requestId?: string | undefined;
  /** Opaque value of the call observer, such as a span. */
  readonly trace?: unknown;
  /** Upstream calls that the request may still cause. A call is deducted before it begins; absent means unlimited. */
  readonly budget?: CallBudget | undefined;
}

export const requestContextOf = ({ requestId, trace, budget }: RequestContext): RequestContext => ({
  requestId,
  trace,
  budget,
});

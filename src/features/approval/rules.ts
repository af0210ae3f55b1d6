import type { AccessScope, Caller } from '../../kernel/caller.ts';
import type { Money } from '../../kernel/money.ts';

/** The operations that a second person can have to approve. */
export const approvalOperations = [
  'REGISTRATION',
  'TRANSFER',
  'UNLOCK',
  'AUTH_CODE',
  'BULK_CHANGE',
] as const;

export type ApprovalOperation = (typeof approvalOperations)[number];

/** The operations that have a cost. */
export const costOperations = [
  'REGISTRATION',
  'TRANSFER',
] as const satisfies readonly ApprovalOperation[];

/** What a rule looks at. */
export interface ApprovalSubject {
  readonly operation: ApprovalOperation;
  readonly caller: Pick<Caller, 'name' | 'scopes'>;
  /** Whether a model requests it with a tool. */
  readonly viaTool: boolean;
  /** The highest cost; null when it is unknown, and for an operation without one. */
  readonly cost: Money | null;
  /** Null when it is unknown. */
  readonly premium: boolean | null;
  /** Lines of an order, or domains of a bulk change; otherwise 1. */
  readonly count: number;
}

/** All conditions must be met; an absent one always is. */
export interface ApprovalConditions {
  /** A cost in another currency, and an unknown one, are above it. */
  readonly costAbove?: Money | undefined;
  /** Only premium names, or only others. A name whose premium status is unknown is both. */
  readonly premium?: boolean | undefined;
  readonly countAbove?: number | undefined;
  /** Names of callers, one of which makes the request. */
  readonly keys?: readonly string[] | undefined;
  /** Scopes, one of which the caller has. */
  readonly scopes?: readonly AccessScope[] | undefined;
  /** Only requests of models with tools, or only others. */
  readonly mcp?: boolean | undefined;
}

export interface ApprovalRule {
  /** 1 for the first one of the file. */
  readonly position: number;
  readonly operations: readonly ApprovalOperation[];
  readonly when: ApprovalConditions;
  readonly expiresAfterMs: number;
}

/** The rules in force. */
export interface ApprovalRules {
  /** The first rule that matches one of the subjects of a request; null when no approval is needed. */
  matching(...subjects: readonly ApprovalSubject[]): ApprovalRule | null;
  /** Whether a rule is for models with tools. */
  readonly isForTools: boolean;
  /** Whether two names of callers can be one person. True for null: a caller without a name can be anyone. */
  isSamePerson(one: string | null, other: string | null): boolean;
}

/** Each list of `samePerson` has the names of one person. Lists with a common name are of one person too. */
export function createApprovalRules(
  rules: readonly ApprovalRule[],
  samePerson: readonly (readonly string[])[] = [],
): ApprovalRules {
  const people = new Map<string, ReadonlySet<string>>();
  for (const names of samePerson) {
    const all = new Set(names.flatMap((name) => [name, ...(people.get(name) ?? [])]));
    for (const name of all) people.set(name, all);
  }
  return {
    matching: (...subjects) =>
      rules.find((rule) => subjects.some((subject) => isMatch(rule, subject))) ?? null,
    isForTools: rules.some(({ when }) => when.mcp === true),
    isSamePerson: (one, other) =>
      one === null || other === null || one === other || (people.get(one)?.has(other) ?? false),
  };
}

function isMatch({ operations, when }: ApprovalRule, subject: ApprovalSubject): boolean {
  const { caller, count, cost } = subject;
  const { costAbove, premium, countAbove, keys, scopes, mcp } = when;
  return (
    operations.includes(subject.operation) &&
    (costAbove === undefined || isAbove(cost, costAbove)) &&
    (premium === undefined || premium === (subject.premium ?? premium)) &&
    (countAbove === undefined || count > countAbove) &&
    (keys === undefined || (caller.name !== null && keys.includes(caller.name))) &&
    (scopes === undefined || scopes.some((scope) => caller.scopes.has(scope))) &&
    (mcp === undefined || mcp === subject.viaTool)
  );
}

const isAbove = (cost: Money | null, { amount, currency }: Money): boolean =>
  cost === null || cost.currency !== currency || cost.amount.compare(amount) > 0;

/** Whether each request that meets `narrow` also meets `wide`. */
export function isImplied(wide: ApprovalConditions, narrow: ApprovalConditions): boolean {
  const isWithin = (inner: readonly string[] | undefined, outer: readonly string[] | undefined) =>
    outer === undefined || (inner?.every((one) => outer.includes(one)) ?? false);
  return (
    (wide.costAbove === undefined ||
      (narrow.costAbove?.currency === wide.costAbove.currency &&
        narrow.costAbove.amount.compare(wide.costAbove.amount) >= 0)) &&
    (wide.countAbove === undefined || (narrow.countAbove ?? 0) >= wide.countAbove) &&
    (wide.premium === undefined || wide.premium === narrow.premium) &&
    (wide.mcp === undefined || wide.mcp === narrow.mcp) &&
    isWithin(narrow.keys, wide.keys) &&
    isWithin(narrow.scopes, wide.scopes)
  );
}

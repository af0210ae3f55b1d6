import { formatMoney } from '../../kernel/money.ts';
import { lazy } from '../../lib/lazy.ts';
import type { ApprovalConditions, ApprovalOperation, ApprovalRule } from './rules.ts';

/** Created at its first use: ICU takes 15 ms and 8 MB. */
const eitherFormat = lazy(() => new Intl.ListFormat('en', { type: 'disjunction' }));

/** `a, b, or c`. */
export const either = (words: Iterable<string>): string => eitherFormat().format(words);

/** The conditions of a rule as clauses. Without `seesCosts` the amount of a cost is left out. */
export function conditionsOf(
  { costAbove, premium, countAbove, keys, scopes, mcp }: ApprovalConditions,
  seesCosts: boolean,
): readonly string[] {
  return [
    costAbove &&
      `the cost is above ${seesCosts ? formatMoney(costAbove) : 'an amount'}, in another currency, or not known`,
    premium !== undefined &&
      `the name is ${premium ? 'a' : 'no'} premium name, or that is not known`,
    countAbove !== undefined && `it has more than ${countAbove} lines or domains`,
    keys && `the caller is ${either(keys)}`,
    scopes && `the caller has the scope ${either(scopes)}`,
    mcp !== undefined && `it comes from ${mcp ? 'a tool for models' : 'no tool for models'}`,
  ].filter((one) => typeof one === 'string');
}

const operationWords: Readonly<Record<ApprovalOperation, string>> = {
  REGISTRATION: 'registration',
  TRANSFER: 'transfer',
  UNLOCK: 'removal of a transfer lock',
  AUTH_CODE: 'read of auth codes',
  BULK_CHANGE: 'bulk change',
};

/** The rule in one sentence. */
export function ruleSentence({ operations, when }: ApprovalRule, seesCosts: boolean): string {
  const conditions = conditionsOf(when, seesCosts);
  const words = either(operations.map((one) => operationWords[one]));
  return `Each ${words}${conditions.length > 0 ? ` if ${conditions.join(', and ')}` : ''}.`;
}

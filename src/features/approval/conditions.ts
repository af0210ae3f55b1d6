import { formatMoney } from '../../kernel/money.ts';
import type { ApprovalConditions, ApprovalOperation, ApprovalRule } from './rules.ts';

const either = new Intl.ListFormat('en', { type: 'disjunction' });

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
    keys && `the caller is ${either.format(keys)}`,
    scopes && `the caller has the scope ${either.format(scopes)}`,
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
  const words = either.format(operations.map((one) => operationWords[one]));
  return `Each ${words}${conditions.length > 0 ? ` if ${conditions.join(', and ')}` : ''}.`;
}

import { formatMoney } from '../../kernel/money.ts';
import type { ApprovalConditions } from './rules.ts';

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

/** The conditions in one sentence. */
export function conditionsSentence(when: ApprovalConditions, seesCosts: boolean): string {
  const [first = 'Always', ...others] = conditionsOf(when, seesCosts);
  const text = [first, ...others].join(', and ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import type { Checks } from './checks.ts';

/** Errors of one response: a client that corrects these finds the next ones. */
const maxErrors = 100;

/** The names in the order of the texts. Records a fault with the path of each name that is not valid. */
export function checkNames(
  checks: Checks,
  path: readonly string[],
  texts: readonly string[],
  most: number,
): readonly DomainName[] {
  if (texts.length === 0 || texts.length > most) {
    const message = `Send 1 to ${most} names; "${path.at(-1)}" has ${texts.length}.`;
    checks.add(invalidInput(message, { path: [...path], facts: { minimum: 1, maximum: most } }));
    return [];
  }
  const names: DomainName[] = [];
  for (const [at, text] of texts.entries()) {
    const name = checks.check([...path, String(at)], () => parseDomainName(text));
    if (name !== null) names.push(name);
    if (checks.faults.length === maxErrors) break;
  }
  return names;
}

import { isCustomer } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { composed } from '../../lib/text.ts';
import type { Checks } from './checks.ts';

/** The name in Unicode NFC; empty, with the fault recorded, when it is not valid. */
export function checkName(checks: Checks, text: string): string {
  const name = composed(text.trim());
  if (isCustomer(name)) return name;
  const message = '"name" must have 1 to 64 printable characters.';
  checks.add(invalidInput(message, { path: ['input', 'name'] }));
  return '';
}

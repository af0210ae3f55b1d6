import { quoted } from '../lib/quoted.ts';
import { invalidInput } from './faults.ts';
import { Decimal } from './money.ts';

/** A decimal that a client sent. @throws Fault `INVALID_INPUT` for text that is no decimal. */
export function parseDecimal(text: string): Decimal {
  const decimal = Decimal.tryParse(text);
  if (decimal) return decimal;
  throw invalidInput(`${quoted(text)} is not a decimal number such as "11.2900".`);
}

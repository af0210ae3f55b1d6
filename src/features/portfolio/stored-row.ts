import { Fault, notCached } from '../../kernel/faults.ts';
import { parseInstant } from '../../kernel/instant.ts';
import { faultOfStored, storedFault } from '../../kernel/stored-json.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

/** The row of a domain as JSON for the ledger, without its auth code. */
export const toStoredRow = ({ authCode: _secret, ...row }: DomainDetails): string =>
  // The replacer receives what `toJSON` of a date returned; `this` has the date.
  JSON.stringify(row, function (this: Readonly<Record<string, unknown>>, name, member) {
    const original = this[name];
    if (original instanceof Date) return { $time: original.toISOString() };
    return original instanceof Fault ? { $fault: storedFault(original) } : member;
  });

/** Reads what `toStoredRow` wrote. */
export const fromStoredRow = (text: string): DomainDetails => {
  const row: Omit<DomainDetails, 'authCode'> = JSON.parse(text, (_name, member) => {
    if (typeof member?.$time === 'string') return parseInstant(member.$time);
    return member?.$fault ? faultOfStored(member.$fault) : member;
  });
  return { ...row, authCode: notCached };
};

import { type DomainName, isDomainName, parseDomainName } from '../kernel/domain-name.ts';
import { invalidInput } from '../kernel/faults.ts';
import { globalId, keyOfId, readGlobalId } from '../kernel/global-id.ts';

export { globalId, keyOfId, readGlobalId };

/** The domain of a key; null when the key is not a normalised domain name, which needs no upstream call. */
export const domainOfKey = (key: string): DomainName | null =>
  isDomainName(key) && parseDomainName(key) === key ? (key as DomainName) : null;

/** @throws Fault `INVALID_INPUT` for a malformed id. */
export function parseGlobalId(id: string): NonNullable<ReturnType<typeof readGlobalId>> {
  const parsed = readGlobalId(id);
  if (parsed) return parsed;
  throw invalidInput(
    `"${id.slice(0, 40)}" is not an id of this graph; pass the value of a field "id".`,
  );
}

import { type DomainName, parseDomainName } from '../kernel/domain-name.ts';
import { invalidInput } from '../kernel/faults.ts';

/** A check that a cell of a row is a domain name, which no earlier row has. It throws Fault `INVALID_INPUT`. */
export function createNameCheck() {
  const lineOf = new Map<DomainName, number>();
  return (line: number, domain: string): void => {
    const name = parseDomainName(domain);
    const first = lineOf.get(name);
    if (first !== undefined) throw invalidInput(`${name} is in line ${first} already.`);
    lineOf.set(name, line);
  };
}

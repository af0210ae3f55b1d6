import DataLoader from 'dataloader';
import { type DomainName, domainNameOrFault } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { maxNamesPerCall } from '../../kernel/upstream-calls.ts';
import { shortened } from '../../lib/quoted.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import { type Availability, availabilityOf, type CheckTogether } from './check.ts';

/** The result for text that is no domain name. */
interface InvalidText extends Omit<Availability, 'name'> {
  readonly name: null;
  /** The text, shortened. */
  readonly text: string;
}

/** The result for one text that was sent as a name. */
export type CheckedName = Availability | InvalidText;

const invalidText = (text: string, fault: Fault): InvalidText => ({
  name: null,
  text: shortened(text.trim()),
  state: 'INVALID',
  offer: null,
  fault,
});

/** Batches all names of an operation into one call for each 100. It rejects only when the client aborts. */
export function createAvailabilityLoader(checkTogether: CheckTogether, options: CallOptions) {
  // A key is a list of names: a promise for each name would cost as much CPU time as its check.
  const loader = new DataLoader<readonly DomainName[], (name: string) => Availability | undefined>(
    async (lists) => {
      const places = new Map<string, number>();
      for (const name of lists.flat()) if (!places.has(name)) places.set(name, places.size);
      const names = [...places.keys()] as DomainName[];
      const checks: Promise<readonly Availability[]>[] = [];
      for (let at = 0; at < names.length; at += maxNamesPerCall) {
        const part = names.slice(at, at + maxNamesPerCall);
        checks.push(checkTogether(part, { ...options, mayHalve: true }));
      }
      const results = (await Promise.all(checks)).flat();
      return lists.map(() => (name) => results[places.get(name) ?? -1]);
    },
    { name: 'availability', cache: false },
  );
  const loadAll = async (names: readonly DomainName[]) => {
    const resultOf = names.length > 0 ? await loader.load(names) : null;
    return (name: DomainName) => resultOf?.(name) ?? availabilityOf(name, undefined);
  };
  /** For names in any spelling, in their order. Text that is no name is INVALID, for no call. */
  async function checkAll(texts: readonly string[]): Promise<readonly CheckedName[]> {
    const parsed = texts.map(domainNameOrFault);
    const resultOf = await loadAll(parsed.filter((name) => typeof name === 'string'));
    return parsed.map((name, at) =>
      name instanceof Fault ? invalidText(texts[at] ?? '', name) : resultOf(name),
    );
  }
  return {
    load: async (name: DomainName): Promise<Availability> => (await loadAll([name]))(name),
    check: async (text: string): Promise<CheckedName> => (await checkAll([text]))[0] as CheckedName,
    checkAll,
  };
}

import DataLoader from 'dataloader';
import { type DomainName, domainNameOrFault } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { maxNamesPerCall } from '../../kernel/upstream-calls.ts';
import { shortened } from '../../lib/text.ts';
import { perReads } from '../../scope/reads.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import { tldReads } from '../tld/loader.ts';
import {
  type Availability,
  type CheckTogether,
  createCheckTogether,
  idnRefusals,
} from './check.ts';

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

type ResultOf = (name: DomainName) => Availability;

/** Batches all names of an operation into one call for each 100. It rejects only when the client aborts. */
export function createAvailabilityLoader(checkTogether: CheckTogether, options: CallOptions) {
  // A key is a list of names: a promise for each name would cost as much CPU time as its check.
  const loader = new DataLoader<readonly DomainName[], ResultOf>(
    async (lists) => {
      const places = new Map<DomainName, number>();
      for (const name of lists.flat()) if (!places.has(name)) places.set(name, places.size);
      const names = [...places.keys()];
      const checks: Promise<readonly Availability[]>[] = [];
      for (let at = 0; at < names.length; at += maxNamesPerCall) {
        const part = names.slice(at, at + maxNamesPerCall);
        checks.push(checkTogether(part, { ...options, mayHalve: true }));
      }
      const results = (await Promise.all(checks)).flat();
      return lists.map(() => (name) => results[places.get(name) as number] as Availability);
    },
    { name: 'availability', cache: false },
  );
  const preloaded = new Map<DomainName, Promise<ResultOf>>();
  const load = async (name: DomainName): Promise<Availability> =>
    (await (preloaded.get(name) ?? loader.load([name])))(name);
  return {
    load,
    /** Checks these names together. `load` returns their results from now on. */
    preload(names: readonly DomainName[]): void {
      const resultOf = loader.load(names);
      resultOf.catch(() => undefined);
      for (const name of names) preloaded.set(name, resultOf);
    },
    /** For a name in any spelling. Text that is no name is INVALID, for no call. */
    async check(text: string): Promise<CheckedName> {
      const name = domainNameOrFault(text);
      return name instanceof Fault ? invalidText(text, name) : load(name);
    },
    /** As `check`, in the order of the texts. */
    async checkAll(texts: readonly string[]): Promise<readonly CheckedName[]> {
      const parsed = texts.map(domainNameOrFault);
      const resultOf = await loader.load(parsed.filter((name) => typeof name === 'string'));
      return parsed.map((name, at) =>
        name instanceof Fault ? invalidText(texts[at] ?? '', name) : resultOf(name),
      );
    },
  };
}

export const checkTogether = perReads('checkTogether', ({ api, use, tenant }) =>
  createCheckTogether({ api, tlds: use(tldReads), idnRefusals: tenant.use(idnRefusals) }),
);

export const availabilityReads = perReads('availabilityReads', ({ use, options }) =>
  createAvailabilityLoader(use(checkTogether), options()),
);

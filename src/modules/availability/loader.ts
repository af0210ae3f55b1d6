import DataLoader from 'dataloader';
import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { asFault, Fault } from '../../kernel/faults.ts';
import { mostNamesPerCall } from '../../kernel/upstream-calls.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { Availability, CheckTogether } from './check.ts';

/** The answer for one text that was sent as a name. */
export interface CheckedName extends Omit<Availability, 'name'> {
  /** The canonical name; the shortened text where it is no name. */
  readonly name: string;
  /** Null for text that is no domain name. */
  readonly domain: DomainName | null;
}

const longestShown = 80;

export const toCheckedName = (one: Availability): CheckedName => ({ ...one, domain: one.name });

/** The answer for text that is no name, which `fault` says why. */
const invalidText = (text: string, fault: Fault): CheckedName => ({
  name: shortened(text.trim()),
  domain: null,
  state: 'INVALID',
  offer: null,
  fault,
});

const shortened = (text: string): string =>
  text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;

export interface AvailabilityLoader {
  load(name: DomainName): Promise<Availability>;
  /** The same for a name in any spelling. Text that is no name is INVALID, for no call. */
  check(text: string): Promise<CheckedName>;
  /** The same for many, in their order. */
  checkAll(texts: readonly string[]): Promise<readonly CheckedName[]>;
  invalidate(): void;
}

/** Batches all names of an operation into one call for each 100. It rejects for nothing but the caller's abort. */
export function createAvailabilityLoader(
  checkTogether: CheckTogether,
  options: CallOptions,
): AvailabilityLoader {
  const loader = new DataLoader<DomainName, Availability>(
    (names) => checkTogether(names, { ...options, mayHalve: true }),
    { name: 'availability', maxBatchSize: mostNamesPerCall },
  );
  /** Without a promise for text that is no name. */
  const begin = (text: string): CheckedName | Promise<Availability> => {
    const name = parseText(text);
    return name instanceof Fault ? invalidText(text, name) : loader.load(name);
  };
  const finish = (one: CheckedName | Availability): CheckedName =>
    'domain' in one ? one : toCheckedName(one);
  return {
    load: (name) => loader.load(name),
    check: async (text) => finish(await begin(text)),
    // One promise for the list: the executor would wait for each element apart.
    checkAll: async (texts) => (await Promise.all(texts.map(begin))).map(finish),
    invalidate: () => void loader.clearAll(),
  };
}

function parseText(text: string): DomainName | Fault {
  try {
    return parseDomainName(text);
  } catch (error) {
    return asFault(error);
  }
}

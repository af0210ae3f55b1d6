import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Availability } from './check.ts';
import type { AvailabilityLoader } from './loader.ts';

/** The answer for one text that was sent as a name. */
export interface CheckedName extends Omit<Availability, 'name'> {
  /** The canonical name; the shortened text where it is no name. */
  readonly name: string;
  /** Null for text that is no domain name. */
  readonly domain: DomainName | null;
}

const longestShown = 80;

export const toCheckedName = (one: Availability): CheckedName => ({ ...one, domain: one.name });

/** The name that a text spells; null for text that is none. */
export function domainOf(text: string): DomainName | null {
  const parsed = parseText(text);
  return parsed instanceof Fault ? null : parsed;
}

/** The answers in the order of the texts. Text that is no name is INVALID, for no call. */
export async function checkTexts(
  texts: readonly string[],
  loader: AvailabilityLoader,
): Promise<readonly CheckedName[]> {
  return Promise.all(
    texts.map(async (text) => {
      const name = parseText(text);
      return name instanceof Fault
        ? invalidText(text, name)
        : toCheckedName(await loader.load(name));
    }),
  );
}

function parseText(text: string): DomainName | Fault {
  try {
    return parseDomainName(text);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

const invalidText = (text: string, fault: Fault): CheckedName => ({
  name: shortened(text.trim()),
  domain: null,
  state: 'INVALID',
  offer: null,
  fault,
});

const shortened = (text: string): string =>
  text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;

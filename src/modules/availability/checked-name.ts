import type { DomainName } from '../../kernel/domain-name.ts';
import type { Fault } from '../../kernel/faults.ts';
import type { Availability } from './check.ts';

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
export const invalidText = (text: string, fault: Fault): CheckedName => ({
  name: shortened(text.trim()),
  domain: null,
  state: 'INVALID',
  offer: null,
  fault,
});

const shortened = (text: string): string =>
  text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;

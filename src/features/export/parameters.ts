import { checkCustomer } from '../../kernel/caller.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { asDomainState, type DomainState, domainStates } from '../../kernel/domain-state.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { tryParseInstant } from '../../kernel/instant.ts';
import { isLabelName, type LabelFilter } from '../../kernel/label.ts';
import { quoted } from '../../lib/quoted.ts';
import type { DomainOrder } from '../../modules/portfolio/domain-place.ts';
import type { DomainFilterInput } from '../../modules/portfolio/filter-resolver.ts';

const isoTime =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

const orderFields = ['NAME', 'EXPIRES_AT', 'REGISTERED_AT'] as const;
const directions = ['ASC', 'DESC'] as const;

function stateOf(text: string): DomainState {
  const state = asDomainState(text);
  if (state !== null) return state;
  throw invalidInput(`${quoted(text)} is no state; the states are ${domainStates.join(', ')}.`);
}

/** `name` and `name=value`. Names have signs of equality too, so that a text with several has several readings. */
function readingsOf(text: string): readonly LabelFilter[] {
  const parts = text.split('=');
  const readings = parts.flatMap((_part, at) => {
    const name = parts.slice(0, at + 1).join('=');
    const value = at === parts.length - 1 ? null : parts.slice(at + 1).join('=');
    return isLabelName(name) ? [{ name, value }] : [];
  });
  // The check of the filter refuses it.
  return readings.length > 0 ? readings : [{ name: text, value: null }];
}

/** The query parameters of an export. */
export class ExportParameters {
  readonly #values: URLSearchParams;

  /** @throws Fault `INVALID_INPUT` for a parameter that the file does not have */
  constructor(target: string, known: readonly string[]) {
    this.#values = new URLSearchParams(target.replace(/^[^?]*/, ''));
    const unknown = [...this.#values.keys()].find((name) => !known.includes(name));
    if (unknown === undefined) return;
    const those = known.length > 0 ? `has the parameters ${known.join(', ')}` : 'has no parameters';
    throw invalidInput(`This file ${those}; ${quoted(unknown)} is none.`);
  }

  /** The last one; null without one. */
  value(name: string): string | null {
    return this.#values.getAll(name).at(-1) ?? null;
  }

  get customer(): string | null {
    const customer = this.value('customer');
    return customer && checkCustomer(customer);
  }

  /** A date is the first instant of its day in UTC. @throws Fault `INVALID_INPUT` */
  time(name: string): Date | null {
    const text = this.value(name);
    if (text === null) return null;
    const instant = text.includes('T') ? text : `${text}T00:00Z`;
    const time = isoTime.test(text) ? tryParseInstant(instant) : null;
    if (time) return time;
    throw invalidInput(
      `${quoted(text)} is not a date such as "2026-01-31" or a time such as "2026-01-31T12:00:00Z"; correct "${name}".`,
    );
  }

  /** One of these values; the first one without the parameter. @throws Fault `INVALID_INPUT` */
  choice<const Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
    const text = this.value(name);
    if (text === null) return values[0];
    const found = values.find((value) => value === text);
    if (found) return found;
    throw invalidInput(`"${name}" is ${quoted(text)}; it must be ${values.join(' or ')}.`);
  }

  flag(name: string): boolean | null {
    return this.value(name) === null ? null : this.choice(name, ['true', 'false']) === 'true';
  }

  get order(): DomainOrder {
    return {
      field: this.choice('orderBy', orderFields),
      direction: this.choice('direction', directions),
    };
  }

  /** The conditions that a domain must meet. */
  get domains(): Required<Omit<DomainFilterInput, 'labels'>> {
    const nameServer = this.value('nameServer');
    const list = (name: string) => (this.#values.has(name) ? this.#values.getAll(name) : null);
    return {
      customer: this.customer,
      contains: this.value('contains'),
      tlds: list('tld'),
      states: list('state')?.map(stateOf) ?? null,
      expiresAfter: this.time('expiresAfter'),
      expiresBefore: this.time('expiresBefore'),
      transferLocked: this.flag('transferLocked'),
      privacyProtected: this.flag('privacyProtected'),
      nameServer: nameServer === null ? null : parseDomainName(nameServer),
      eitherLabels: this.#values.getAll('label').map(readingsOf),
    };
  }
}

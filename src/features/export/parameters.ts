import { checkCustomer } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { tryParseInstant } from '../../kernel/instant.ts';
import { quoted } from '../../lib/text.ts';

const isoTime =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

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

  /** In their order; empty without one. */
  all(name: string): readonly string[] {
    return this.#values.getAll(name);
  }

  /** The last one; null without one. */
  value(name: string): string | null {
    return this.all(name).at(-1) ?? null;
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
}

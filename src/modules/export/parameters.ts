import { checkCustomer } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { quoted } from '../../lib/quoted.ts';
import type { DomainFilterInput } from '../portfolio/filter-resolver.ts';

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

  /** `label=name` and `label=name=value`, each of which a domain must meet. */
  get domains(): DomainFilterInput {
    const labels = this.#values.getAll('label').map((text) => {
      const [name = '', ...value] = text.split('=');
      return { name, value: value.length > 0 ? value.join('=') : null };
    });
    return { customer: this.customer, labels };
  }
}

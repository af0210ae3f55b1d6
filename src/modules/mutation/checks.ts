import type { GraphQLScalarType } from 'graphql';
import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { resultOr } from '../../lib/json.ts';
import { type RefusedFields, withField } from './refused-fields.ts';

/** Several faults of one input, reported together. */
class Problems extends Error {
  override readonly name = 'Problems';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map((fault) => fault.message).join(' '));
    this.faults = faults;
  }
}

/** Collects the faults of an input, so that all of them are reported together. */
export function createChecks() {
  const faults: Fault[] = [];
  const add = (fault: Fault): void => {
    if (!faults.some((one) => isSame(one, fault))) faults.push(fault);
  };
  return {
    faults: faults as readonly Fault[],
    /** Records a fault, unless it is recorded already: one failure of the upstream can fail several reads. */
    add,
    /** The result of `work`; null when it throws a fault, which is recorded. */
    check<T>(path: readonly string[], work: () => T): T | null {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        add(error.inputPath.length > 0 ? error : error.with({ path }));
        return null;
      }
    },
    /** All faults as one error, to throw when no further check is possible. */
    problems: () => new Problems(faults),
    /** @throws Problems when a fault is recorded. */
    finish(): void {
      if (faults.length > 0) throw new Problems(faults);
    },
  };
}

const isSame = (one: Fault, other: Fault): boolean =>
  one.code === other.code &&
  one.message === other.message &&
  one.inputPath.join() === other.inputPath.join();

export type Checks = ReturnType<typeof createChecks>;

/** The domain of a mutation input; null, with the fault recorded, when the text is not a domain name. */
export const checkDomain = (checks: Checks, text: string): DomainName | null =>
  checks.check(['input', 'domain'], () => parseDomainName(text));

/** The domain of an input without other checks. @throws Problems with its path */
export function domainOf({ domain }: { readonly domain: string }): DomainName {
  const checks = createChecks();
  const name = checkDomain(checks, domain);
  if (name === null) throw checks.problems();
  return name;
}

const maxWords = 500;

/** What a person wrote in this field, without blanks at its ends; null for nothing. @throws Fault `INVALID_INPUT` */
export function checkWords(field: string, text: string | null | undefined): string | null {
  const words = text?.trim() || null;
  if (words === null || (words.length <= maxWords && !/\p{Cc}/u.test(words))) return words;
  throw invalidInput(`"${field}" has at most ${maxWords} printable characters.`, {
    path: ['input', field],
  });
}

/** @throws Fault `CONFIRMATION_REQUIRED` unless `confirm` is true. */
export function assertConfirmed({ confirm }: { readonly confirm: boolean }): void {
  if (!confirm) throw new Fault('CONFIRMATION_REQUIRED', { path: ['input', 'confirm'] });
}

/** Whether a scalar accepts the text. Its own error message is not used. */
export const accepts = (scalar: GraphQLScalarType, text: string): boolean =>
  resultOr(() => scalar.parseValue(text), null) !== null;

/** The faults of an error. @throws the error when it is neither Problems nor a Fault, because it is a bug. */
export function faultsOf(error: unknown): readonly Fault[] {
  if (error instanceof Problems) return error.faults;
  if (error instanceof Fault) return [error];
  throw error;
}

/** The payload of a mutation: the result of `work`, or its faults as `errors`. */
export async function asPayload<T extends object>(
  work: () => Promise<T>,
  fields: RefusedFields = {},
): Promise<Partial<T> & { readonly errors: readonly Fault[] }> {
  try {
    return { ...(await work()), errors: [] };
  } catch (error) {
    const empty: Partial<T> = {};
    return { ...empty, errors: faultsOf(error).map((fault) => withField(fault, fields)) };
  }
}

import { Fault } from '../kernel/faults.ts';
import { type RefusedFields, withField } from './refused-field.ts';

/** Several faults of one input, told at once. */
class Problems extends Error {
  override readonly name = 'Problems';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map((fault) => fault.message).join(' '));
    this.faults = faults;
  }
}

/** Gathers what is wrong with an input, so that all of it can be told at once. */
export function createChecks() {
  const faults: Fault[] = [];
  return {
    faults: faults as readonly Fault[],
    add: (fault: Fault) => void faults.push(fault),
    /** The result of `work`; the fallback, and its fault on record, when it throws one. */
    check<T>(path: readonly string[], work: () => T): T | null {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        faults.push(error.inputPath.length > 0 ? error : error.with({ path }));
        return null;
      }
    },
    /** All of it, to be thrown where nothing more can be checked. */
    problems: () => new Problems(faults),
    /** @throws Problems when anything was wrong. */
    finish(): void {
      if (faults.length > 0) throw new Problems(faults);
    },
  };
}

/** The faults of one input while they are collected. */
export type Checks = ReturnType<typeof createChecks>;

/** The faults that an error stands for; an unknown error is a bug and is thrown on. */
export function faultsOf(error: unknown): readonly Fault[] {
  if (error instanceof Problems) return error.faults;
  if (error instanceof Fault) return [error];
  throw error;
}

/** What a write gave, or why it gave nothing: the two endings that are data. */
export async function attempt<T extends object>(
  work: () => Promise<T>,
  fields: RefusedFields = {},
): Promise<Partial<T> & { readonly errors: readonly Fault[] }> {
  try {
    return { ...(await work()), errors: [] };
  } catch (error) {
    const nothing: Partial<T> = {};
    return { ...nothing, errors: faultsOf(error).map((fault) => withField(fault, fields)) };
  }
}

import type { roots } from './roots.ts';

// In every text `$` stands for the label of a run, so that no two runs share a name or a key.

type Input = Readonly<Record<string, unknown>>;

/** The variables of a request, and the operation that receives them. */
export interface Row {
  readonly root: keyof typeof roots;
  /** Where the input object is in the arguments. */
  readonly at: readonly string[];
  readonly base: Input;
  /** For each field another value than that of `base`, or an input that has neither, with both. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A value that changes nothing unless the rest of the input is this one. */
export class With {
  readonly base: Input;
  readonly value: unknown;
  constructor(base: Input, value: unknown) {
    this.base = base;
    this.value = value;
  }
}

export const at = (
  root: Row['root'],
  path: readonly string[],
  base: Input,
  fields: Row['fields'],
): Row => ({ root, at: path, base, fields });
export const input = (
  root: Row['root'],
  base: Input,
  fields: Row['fields'],
  path: readonly string[] = [],
) => at(root, ['input', ...path], { input: base }, fields);

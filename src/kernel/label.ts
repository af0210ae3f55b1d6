import { quoted } from '../lib/text.ts';
import { isCustomer, isPrintable } from './caller.ts';
import { invalidInput } from './faults.ts';

/** Labels of one domain at most. */
export const maxLabels = 20;
const maxValueLength = 128;

export const labelRule = `A label has a name of 1 to 64 printable characters and a value of at most ${maxValueLength}, both without blanks at their ends`;

/** A label as a client or a file has it. */
export interface Label {
  readonly name: string;
  readonly value: string;
}

/** A label of a domain as a condition; null selects every value. */
export interface LabelCondition {
  readonly name: string;
  readonly value: string | null;
}

/** The same as a client sends it. */
export interface LabelFilter {
  readonly name: string;
  readonly value?: string | null | undefined;
}

/** The rule of customers holds for the names of labels too. */
export const isLabelName = isCustomer;

const isLabelValue = (text: string): boolean =>
  text.length <= maxValueLength * 4 &&
  [...text.normalize('NFC')].length <= maxValueLength &&
  isPrintable(text);

/** The label in NFC. @throws Fault `INVALID_INPUT` */
export function checkLabel({ name, value }: Label): Label {
  if (isLabelName(name) && isLabelValue(value)) {
    return { name: name.normalize('NFC'), value: value.normalize('NFC') };
  }
  throw invalidInput(`${labelRule}; ${quoted(name)} with ${quoted(value)} is none.`);
}

/** @throws Fault `INVALID_INPUT` */
export function checkLabelCount(count: number): void {
  if (count > maxLabels) {
    throw invalidInput(`A filter has at most ${maxLabels} labels; it has ${count}.`);
  }
}

/** The conditions of a filter. @throws Fault `INVALID_INPUT` */
export function labelConditions(
  labels: readonly LabelFilter[] | null | undefined,
): readonly LabelCondition[] {
  if (!labels) return [];
  checkLabelCount(labels.length);
  return labels.map(({ name, value = null }) => {
    const label = checkLabel({ name, value: value ?? '' });
    return value === null ? { ...label, value } : label;
  });
}

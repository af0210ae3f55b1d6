import { Fault } from '../kernel/faults.ts';

/** The most items of a list argument or a page. */
export const mostItems = 100;

/** The size of a page without `first` and `last`. */
export const defaultPageSize = 20;

/** @throws Fault `INVALID_INPUT` for a list argument with more than `most` items. */
export function withinLimit<T>(name: string, items: readonly T[], most = mostItems): readonly T[] {
  if (items.length > most) {
    throw new Fault('INVALID_INPUT', {
      message: `"${name}" must have at most ${most} items; it has ${items.length}. Send several requests.`,
      path: [name],
    });
  }
  return items;
}

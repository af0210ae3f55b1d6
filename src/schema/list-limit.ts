import { Fault } from '../kernel/faults.ts';

/** The most items that one list argument, or one page, may have. */
export const mostItems = 100;

/** The items of a page that nobody said a size of. */
export const defaultPageSize = 20;

/** @throws Fault `INVALID_INPUT` for a list argument that is longer than that. */
export function withinLimit<T>(name: string, items: readonly T[], most = mostItems): readonly T[] {
  if (items.length > most) {
    throw new Fault('INVALID_INPUT', {
      message: `"${name}" takes at most ${most} items; this one has ${items.length}. Ask in several requests.`,
      path: [name],
    });
  }
  return items;
}

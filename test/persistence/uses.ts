import { setImmediate as turn } from 'node:timers/promises';
import { parseDomainName } from '../../src/kernel/domain-name.ts';
import { parseInstant } from '../../src/kernel/instant.ts';
import { sharedTime } from './large-tables.ts';

type Work = () => Promise<unknown>;

/** A store with uses of its functions in `fillingStatements`. The name of a use begins with that of its function. */
export interface StoreUses {
  readonly store: object;
  /** They leave the tables as they are. */
  readonly reads: Readonly<Record<string, Work>>;
  readonly writes: Readonly<Record<string, Work>>;
}

/** Calls a store until nothing is left, with a turn of the event loop after each part, as its loop does. */
export async function allParts<Place>(
  part: (after?: Place) => Promise<Place | null | boolean>,
): Promise<void> {
  let after = await part();
  while (after !== null && after !== false) {
    await turn();
    after = await part(after === true ? undefined : after);
  }
}

export const later = (time: Date, ms: number) => new Date(time.getTime() + ms);
/** After all times of work that is due. */
export const now = parseInstant('2040-01-01T00:00:00.000Z');
export const latest = later(now, 3_600_000);
export const shared = parseInstant(sharedTime);
export const lease = { owner: 'process', now, until: later(now, 60_000), latest };

/** No row has it. */
export const none = 'absent';
export const limit = 100;
export const page = { limit };
/** SQLite can have another plan for many values than for few. */
export const ids = Array.from({ length: 500 }, (_, at) => `id-${at}`);
export const few = <T>(some: readonly T[]): readonly T[] => some.slice(0, 2);
export const name = parseDomainName('name-7.com');
export const names = Array.from({ length: 1_000 }, (_, at) =>
  parseDomainName(`name-${2 * at}.com`),
);

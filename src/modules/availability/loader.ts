import DataLoader from 'dataloader';
import { mostNamesPerCall } from '../../kernel/call-count.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import type { Availability, CheckTogether } from './check.ts';

export interface AvailabilityLoader {
  load(name: DomainName): Promise<Availability>;
  /** Order and length kept. One promise for all of them, since a page of names is asked about as one. */
  loadAll(names: readonly DomainName[]): Promise<readonly Availability[]>;
  forget(): void;
}

/** Every name that the operation asks about, gathered into one call. It never rejects but for the caller's abort. */
export function createAvailabilityLoader(
  checkTogether: CheckTogether,
  options: CallOptions,
): AvailabilityLoader {
  const loader = new DataLoader<readonly DomainName[], readonly Availability[], string>(
    async (lists) => {
      const names = [...new Set(lists.flat())];
      const answers = await Promise.all(parts(names).map((part) => checkTogether(part, options)));
      const byName = new Map(answers.flat().map((one) => [one.name, one]));
      return lists.map((list) => list.map((name) => byName.get(name) as Availability));
    },
    { name: 'availability', cacheKeyFn: (names) => names.join(' ') },
  );
  return {
    load: async (name) => (await loader.load([name]))[0] as Availability,
    loadAll: (names) => loader.load(names),
    forget: () => void loader.clearAll(),
  };
}

function parts(names: readonly DomainName[]): readonly (readonly DomainName[])[] {
  if (names.length === 0) return [];
  return [names.slice(0, mostNamesPerCall), ...parts(names.slice(mostNamesPerCall))];
}

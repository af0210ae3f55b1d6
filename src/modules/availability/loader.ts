import DataLoader from 'dataloader';
import { mostNamesPerCall } from '../../kernel/call-count.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import type { Availability, CheckTogether } from './check.ts';

export interface AvailabilityLoader {
  load(name: DomainName): Promise<Availability>;
  forget(): void;
}

/** Batches all names of an operation into one call for each 100. It rejects for nothing but the caller's abort. */
export function createAvailabilityLoader(
  checkTogether: CheckTogether,
  options: CallOptions,
): AvailabilityLoader {
  const loader = new DataLoader<DomainName, Availability>(
    (names) => checkTogether(names, options),
    { name: 'availability', maxBatchSize: mostNamesPerCall },
  );
  return {
    load: (name) => loader.load(name),
    forget: () => void loader.clearAll(),
  };
}

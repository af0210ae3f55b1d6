import { Fault } from '../kernel/faults.ts';
import { several } from '../lib/several.ts';
import { StartError } from '../lib/start-error.ts';
import { purchaseRunner } from '../modules/held-purchase/parts.ts';
import type { Journal } from '../persistence/journal.ts';
import type { Feature, JobRunners } from '../seam/feature.ts';

/** The work on the items of all jobs. */
export async function runnersOf(selected: readonly Feature[]): Promise<JobRunners> {
  const ofFeatures = await Promise.all(selected.flatMap(({ jobs }) => jobs?.() ?? []));
  return Object.assign({ PURCHASE: purchaseRunner }, ...ofFeatures);
}

/**
 * Nothing that needs the feature is sent without it, so a journal that is not available now is not an error here.
 *
 * @throws StartError for items that wait for a feature which is left out.
 */
export async function checkOpenItems(
  journal: Journal,
  runners: JobRunners,
  selected: readonly Pick<Feature, 'name'>[],
): Promise<void> {
  const names = selected.map(({ name }) => name);
  const counted = journal.jobs.countOpen(Object.keys(runners), names);
  const open = await counted.catch((error: unknown) => {
    if (error instanceof Fault) return [];
    throw error;
  });
  const kinds = countsOf(open, ({ kind }) => (kind in runners ? null : kind));
  if (kinds.length > 0) {
    const counts = kinds.map(([kind, amount]) => `${several(amount, 'item')} of the kind ${kind}`);
    throw new StartError(
      `The journal has ${counts.join(' and ')} in jobs of features that FEATURES leaves out, so they would never end: ${advice}`,
    );
  }
  const holds = countsOf(open, ({ heldBy }) => (heldBy && !names.includes(heldBy) ? heldBy : null));
  if (holds.length > 0) {
    const counts = holds.map(([name, amount]) => `${several(amount, 'item')} of ${name}`);
    throw new StartError(
      `The journal has ${counts.join(' and ')} that wait for a decision, and FEATURES leaves these features out, so they would never be sent: ${advice}`,
    );
  }
}

const advice = 'start with these features until the jobs have ended or are cancelled.';

type OpenItems = Awaited<ReturnType<Journal['jobs']['countOpen']>>;

/** The number of items by name, in the order of the names, without those whose name is null. */
function countsOf(open: OpenItems, nameOf: (items: OpenItems[number]) => string | null) {
  const counts = new Map<string, number>();
  for (const items of open) {
    const name = nameOf(items);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + items.amount);
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

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
export async function checkItems(
  journal: Journal,
  runners: JobRunners,
  selected: readonly Pick<Feature, 'name'>[],
): Promise<void> {
  try {
    await checkOpenItems(journal, runners);
    await checkHeldItems(journal, selected);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/** @throws StartError for items that have not ended and that no code works on, because their feature is left out. */
export async function checkOpenItems(journal: Journal, runners: JobRunners): Promise<void> {
  const open = await journal.jobs.countOpenExcept(Object.keys(runners));
  if (open.length === 0) return;
  const counts = open.map(({ kind, amount }) => `${several(amount, 'item')} of the kind ${kind}`);
  throw new StartError(
    `The journal has ${counts.join(' and ')} in jobs of features that FEATURES leaves out, so they would never end: start with these features until the jobs have ended or are cancelled.`,
  );
}

/** @throws StartError for items that have not ended and that features hold, or have held, which are left out. */
export async function checkHeldItems(
  journal: Journal,
  selected: readonly Pick<Feature, 'name'>[],
): Promise<void> {
  const held = await journal.jobs.countHeldExcept(selected.map(({ name }) => name));
  if (held.length === 0) return;
  const counts = held.map(({ feature, amount }) => `${several(amount, 'item')} of ${feature}`);
  throw new StartError(
    `The journal has ${counts.join(' and ')} that wait for a decision, and FEATURES leaves these features out, so they would never be sent: start with these features until the jobs have ended or are cancelled.`,
  );
}

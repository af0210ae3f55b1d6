import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../kernel/faults.ts';
import { StartError } from '../lib/errors.ts';
import { tighten } from '../lib/files.ts';
import { several } from '../lib/text.ts';
import { purchaseRunner } from '../modules/purchase-job/parts.ts';
import type { Log } from '../observability/log.ts';
import type { Journal } from '../persistence/journal.ts';
import type { Feature, JobRunners } from '../seam/feature.ts';
import { openFeatures } from './features.ts';
import { openJournal } from './journal.ts';
import type { SharedDeps } from './shared-deps.ts';
import { openTenants } from './tenants.ts';

/** The files that the gateway writes to DATA_DIR. */
const ownFile = /^(?:(?:sandbox-)?journal|sandbox)\.sqlite(?:-wal|-shm)?$|^keys\.json$/;

const sticky = 0o1000;

/**
 * Removes the access of other users to the files of the gateway in DATA_DIR, which a restored copy may allow, and to the folder
 * when this user owns it and it has no other files. A folder such as `/tmp` is unchanged. Failures are logged.
 */
export function tightenDataFolder(folder: string, log: Log, tightenPath = tighten): void {
  let count = 0;
  let reason: string | null = null;
  for (const path of ownPaths(folder)) {
    try {
      if (tightenPath(path)) count += 1;
    } catch (error) {
      reason ??= String(error);
    }
  }
  if (count > 0) log.warn('other users of the machine cannot read DATA_DIR any longer', { count });
  if (reason !== null) {
    log.warn('other users of the machine may be able to read DATA_DIR', { reason });
  }
}

/** The files of the gateway, and the folder when it is the gateway's alone. None for a folder that cannot be read. */
function ownPaths(folder: string): readonly string[] {
  const userId = process.getuid?.();
  // Windows has no modes.
  if (userId === undefined) return [];
  try {
    const names = readdirSync(folder);
    const files = names.filter((name) => ownFile.test(name));
    const { uid, mode } = lstatSync(folder);
    const isOwn = uid === userId && (mode & sticky) === 0 && files.length === names.length;
    return [...(isOwn ? [folder] : []), ...files.map((name) => join(folder, name))];
  } catch {
    // A missing folder is created with the first file; any other failure is reported by the first use.
    return [];
  }
}

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

export type State = Awaited<ReturnType<typeof openState>>;

type StateOptions = Omit<SharedDeps, 'journal' | 'features'> & JournalOptions;

interface JournalOptions {
  /** The selected features. */
  readonly selected: readonly Feature[];
  /** Deletes the journal of the embedded sandbox first. */
  readonly reset: boolean;
}

/** Opens the journal, and the tenants that use it. Only `reset` replaces them. */
export async function openState(options: StateOptions) {
  tightenDataFolder(options.config.storage.dataDir, options.log);
  await using files = new AsyncDisposableStack();
  const metrics = options.observation.factory;
  const features = await openFeatures(options.selected, { ...options, metrics }, files);
  const shared = { ...options, features };
  const open = (reset: boolean) => openParts({ ...shared, reset });
  let current = await open(options.reset);
  const followed = files.move();
  /** The last reset, which never rejects. */
  let resetting: Promise<unknown> = Promise.resolve();

  async function resetNow(restore: () => void): Promise<void> {
    await current.close();
    restore();
    current = await open(true);
  }

  return {
    get journal() {
      return current.journal;
    },
    get tenants() {
      return current.tenants;
    },
    /** Stops all work of the gateway, runs `restore`, and starts again with an empty journal. For the embedded sandbox only. */
    reset(restore: () => void): Promise<void> {
      const result = resetting.then(() => resetNow(restore));
      resetting = result.catch(() => undefined);
      return result;
    },
    async close(): Promise<void> {
      await resetting;
      await current.close();
      await followed.disposeAsync();
    },
  };
}

async function openParts({
  reset,
  selected,
  ...shared
}: Omit<SharedDeps, 'journal'> & JournalOptions) {
  const { config, log } = shared;
  await using opened = new AsyncDisposableStack();
  const journal: Journal = await openJournal(config, {
    reset,
    syncFile: shared.syncFile,
    tables: selected.flatMap(({ tables = [] }) => tables),
    onAvailability: (failure) =>
      failure === null
        ? log.info('journal is available')
        : log.error('journal is not available', { reason: failure }),
  });
  opened.defer(() => journal.close());
  await checkOpenItems(journal, shared.jobRunners, selected);
  const tenants = await openTenants({ ...shared, journal });
  opened.defer(() => tenants.close());
  const parts = opened.move();
  return { journal, tenants, close: () => parts.disposeAsync() };
}

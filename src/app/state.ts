import type { Journal } from '../persistence/journal.ts';
import type { Feature } from '../seam/feature.ts';
import { tightenDataFolder } from './data-folder.ts';
import { openFeatures } from './features.ts';
import { checkOpenItems } from './job-runners.ts';
import { openJournal } from './journal.ts';
import type { SharedDeps } from './shared-deps.ts';
import { openTenants } from './tenants.ts';

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

import DataLoader from 'dataloader';
import { listPaysFrom } from '../../kernel/call-count.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { notKept } from '../../kernel/leaf.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import { once } from '../once.ts';
import type { Portfolio, Snapshot } from '../portfolio/snapshot.ts';
import { readDetails } from './details.ts';

export type DomainReads = ReturnType<typeof createDomainReads>;

/**
 * Reads of one request: a single `getdomainlist` for whoever asks, one `getdetails` per name, and the list instead of
 * many `getdetails` where that is cheaper or it is under way already.
 *
 * A name that the account does not have loads as null.
 */
export function createDomainReads(
  api: DomainApi,
  snapshot: Pick<Snapshot, 'read' | 'readAnew'>,
  options: CallOptions,
) {
  const anew = once(() => snapshot.readAnew(options));
  // What is read anew for one field of an operation is the newest for all that are resolved later.
  const list = once(() => (anew.started() ? anew() : snapshot.read(options)));
  const details = (name: DomainName, how = options) => readDetails(api, name, how);

  const loader = new DataLoader<DomainName, DomainDetails | null>(
    async (names) => {
      const known = list.started() || names.length >= listPaysFrom ? await listed(list) : null;
      return Promise.all(
        names.map((name) => {
          const found = known?.find(name);
          if (found || known?.complete) return found ?? null;
          return details(name).catch((error: Error) => error);
        }),
      );
    },
    { name: 'domain' },
  );

  const truths = new Map<DomainName, Promise<DomainDetails | null>>();

  const truth = (name: DomainName, how: CallOptions = options): Promise<DomainDetails | null> => {
    const asked = truths.get(name) ?? details(name, { ...how, shared: false, urgent: true });
    truths.set(name, asked);
    asked.then(
      (answer) => loader.clear(name).prime(name, answer),
      () => truths.delete(name),
    );
    return asked;
  };

  return {
    list,
    /** Asked for by this operation, and not before. */
    listAnew: anew,
    /** Asked by `getdetails` itself, since a list may be stale or cut off; once, until the name is forgotten. */
    truth,
    load: (name: DomainName) => loader.load(name),
    /** As the service tells it now, where an answer that was kept leaves it out. */
    async authCode({ name, authCode }: DomainDetails): Promise<DomainDetails['authCode']> {
      if (authCode !== notKept) return authCode;
      return (await truth(name))?.authCode ?? null;
    },
    /** Order and length kept; null in place of what the account does not have. */
    loadMany: (names: readonly DomainName[]) => names.map((name) => loader.load(name)),
    /** After a write: what is asked for from now on is asked of the service again. */
    forget(name: DomainName): void {
      loader.clear(name);
      truths.delete(name);
      list.forget();
      anew.forget();
    },
  };
}

/** The list by name; null when it cannot be had, for then each name is still asked for by itself. */
async function listed(list: () => Promise<Portfolio>) {
  try {
    const { index, complete } = await list();
    return { find: (name: DomainName) => index.find(name), complete };
  } catch {
    return null;
  }
}

import DataLoader from 'dataloader';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { type Leaf, leafOr } from '../../kernel/leaf.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import { once } from '../once.ts';

/** From so many names on, one `getdomainlist` is cheaper than a `getdetails` for each. */
const listPaysFrom = 5;

/** The account's domains as the service handed them over. */
export interface DomainList {
  readonly domains: readonly DomainDetails[];
  /** Whether nothing is missing: false when the service counts more than it sent, sent rows that name no domain, or hid its count. */
  readonly complete: boolean;
  /** What the service counts. */
  readonly totalCount: Leaf<number>;
}

export type DomainReads = ReturnType<typeof createDomainReads>;

/**
 * Reads of one request: a single `getdomainlist` for whoever asks, one `getdetails` per name, and the list instead of
 * many `getdetails` where that is cheaper or it is under way already.
 *
 * A name that the account does not have loads as null.
 */
export function createDomainReads(api: DomainApi, options: CallOptions) {
  const list = once(async (): Promise<DomainList> => {
    const { domains, totalCount } = await api.getdomainlist({}, options);
    return { domains, totalCount, complete: domains.length >= leafOr(totalCount, Infinity) };
  });

  const details = async (name: DomainName, how = options): Promise<DomainDetails | null> => {
    try {
      const answer = await api.getdetails({ domain: name }, how);
      if (answer.name !== null && answer.name !== name) {
        throw new Fault('UPSTREAM_PROTOCOL', {
          message: `The service answered with another domain than ${name}.`,
          executed: 'NO',
        });
      }
      return { ...answer, name };
    } catch (error) {
      if (error instanceof Fault && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  };

  const loader = new DataLoader<DomainName, DomainDetails | null>(
    async (names) => {
      const known = list.started() || names.length >= listPaysFrom ? await listed(list) : null;
      return Promise.all(
        names.map((name) => {
          const found = known?.byName.get(name);
          if (found || known?.complete) return found ?? null;
          return details(name).catch((error: Error) => error);
        }),
      );
    },
    { name: 'domain' },
  );

  const truths = new Map<DomainName, Promise<DomainDetails | null>>();

  return {
    list,
    /** Asked by `getdetails` itself, since a list may be stale or cut off; once, until the name is forgotten. */
    truth(name: DomainName, how?: CallOptions): Promise<DomainDetails | null> {
      const asked = truths.get(name) ?? details(name, how);
      truths.set(name, asked);
      asked.then(
        (answer) => loader.clear(name).prime(name, answer),
        () => truths.delete(name),
      );
      return asked;
    },
    load: (name: DomainName) => loader.load(name),
    /** Order and length kept; null in place of what the account does not have. */
    loadMany: (names: readonly DomainName[]) => names.map((name) => loader.load(name)),
    /** After a write: what is asked for from now on is asked of the service again. */
    forget(name: DomainName): void {
      loader.clear(name);
      truths.delete(name);
      list.forget();
    },
  };
}

/** The list by name; null when it cannot be had, for then each name is still asked for by itself. */
async function listed(list: () => Promise<DomainList>) {
  try {
    const { domains, complete } = await list();
    return { byName: new Map(domains.map((domain) => [domain.name, domain])), complete };
  } catch {
    return null;
  }
}

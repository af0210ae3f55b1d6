import { type Leaf, leafOr, notKept } from '../../kernel/leaf.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { RowMemory } from '../../upstream/operation.ts';

/** A domain as it may be kept: without its secret, and sharing with others what is the same of them. */
export type KeepRow = (row: DomainDetails) => DomainDetails;

const none: readonly never[] = [];
const sharedIfEmpty = <T>(leaf: Leaf<readonly T[]>): Leaf<readonly T[]> =>
  leafOr(leaf, null)?.length === 0 ? none : leaf;

function createKeeper(): KeepRow {
  const hostSets = new Map<string, readonly string[]>();
  const shareHosts = (hosts: readonly string[]) => {
    const key = hosts.join('\n');
    const shared = hostSets.get(key) ?? hosts;
    hostSets.set(key, shared);
    return shared;
  };
  const statuses = new Map<string, string>();
  const shareText = (text: string) => {
    const shared = statuses.get(text) ?? text;
    statuses.set(text, shared);
    return shared;
  };
  return (row) => ({
    ...row,
    authCode: notKept,
    status: row.status instanceof Error ? row.status : shareText(row.status),
    nameServers: row.nameServers instanceof Error ? row.nameServers : shareHosts(row.nameServers),
    additional: sharedIfEmpty(row.additional),
    childNameServers: sharedIfEmpty(row.childNameServers) as DomainDetails['childNameServers'],
  });
}

/** The rows of the last list, by the digest of their bytes. */
export function createRowMemory() {
  const kept = new Map<string, { readonly row: DomainDetails; list: number }>();
  const keepRow = createKeeper();
  let lists = 0;
  return {
    keepRow,
    /** For one reading of the list; `end` forgets what that did not meet. */
    begin(): RowMemory & { readonly end: () => void } {
      lists += 1;
      const list = lists;
      const keep = createKeeper();
      let met = 0;
      return {
        known(digest) {
          const entry = kept.get(digest);
          if (!entry) return undefined;
          if (entry.list !== list) met += 1;
          entry.list = list;
          return entry.row;
        },
        keep(digest, row) {
          const slim = keep(row as DomainDetails);
          kept.set(digest, { row: slim, list });
          met += 1;
          return slim;
        },
        end() {
          if (kept.size === met) return;
          for (const [digest, entry] of kept) if (entry.list !== list) kept.delete(digest);
        },
      };
    },
  };
}

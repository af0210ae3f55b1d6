import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newFolder } from '../../support/folder.ts';
import { openShop, type Shop } from './shop.ts';

/** A shop whose journal a test can read, make fail and backdate while the gateway runs. */
export interface WatchedShop extends Shop {
  /** The columns of one purchase, as they are on the disk now. */
  row(domain: string): Readonly<Record<string, unknown>> | undefined;
  /** Makes every write of a kind fail until the returned function is called. */
  refuse(write: 'insert' | 'update', when?: string): () => void;
  /** Sets a purchase to the state that a gateway left when it crashed `agoMs` ago; a call ends within 32 seconds. */
  leave(domain: string, state: 'CLAIMED' | 'SENDING', agoMs: number): void;
  /** Every byte that the journal has written. */
  bytes(): Promise<string>;
}

export async function openWatchedShop(): Promise<WatchedShop> {
  const folder = await newFolder('purchases');
  const shop = await openShop({ env: { DATA_DIR: folder } });
  const journal = new DatabaseSync(join(folder, 'sandbox-journal.sqlite'));
  return {
    ...shop,
    row: (domain) => journal.prepare('select * from purchases where domain = ?').get(domain),
    refuse(write, when = 'true') {
      journal.exec(
        `create trigger refusal before ${write} on purchases when ${when} begin select raise(abort, 'no'); end`,
      );
      return () => journal.exec('drop trigger refusal');
    },
    leave(domain, state, agoMs) {
      const timeText = (ms: number) => new Date(Date.now() - ms).toISOString();
      journal
        .prepare(
          `update purchases set state = ?, claimed_at = ?, call_until = ?, settled_at = null,
           fault_code = null, fault_message = null, fault_executed = null where domain = ?`,
        )
        .run(state, timeText(agoMs), timeText(agoMs - 32_000), domain);
    },
    async bytes() {
      const names = (await readdir(folder)).filter((name) => name.includes('journal'));
      const files = names.map((name) => readFile(join(folder, name), 'latin1'));
      return (await Promise.all(files)).join('\n');
    },
    async close() {
      journal.close();
      await shop.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { beforeEach, expect, test } from 'vitest';
import { account, minute, name } from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import { eventTables } from '../table.ts';
import type { DomainWrite, DomainWriteStore } from '../write-store.ts';
import { withEvents } from './journal.ts';

describeStore('writes of domains', (createStore) => {
  const { connect } = useStore(createStore);
  let writes: DomainWriteStore;

  beforeEach(async () => {
    writes = withEvents(await connect(eventTables)).domainWrites;
  });

  const writeNumber = (at: number, changes: Partial<DomainWrite> = {}): DomainWrite => ({
    ...{ id: `write-${at}`, domain: name('a.com'), field: 'nameServers', value: 'ns1.b.net' },
    ...{ caller: 'shop', at: minute(at) },
    ...changes,
  });

  test('are listed completely, in the order of their times', async () => {
    const sync = writeNumber(1, { field: 'sync', value: null, caller: null });
    await writes.record(account, writeNumber(2));
    await writes.record(account, sync);

    expect(await writes.list(account)).toEqual([sync, writeNumber(2)]);
  });

  test('are of one account, and deleted by their ids', async () => {
    for (let at = 1; at <= 3; at += 1) await writes.record(account, writeNumber(at));
    await writes.record('reseller-2', writeNumber(4));
    await writes.delete('reseller-2', ['write-1']);
    await writes.delete(account, ['write-1', 'write-3', 'unknown']);
    await writes.delete(account, []);

    expect(await writes.list(account)).toEqual([writeNumber(2)]);
    expect(await writes.list('reseller-2')).toEqual([writeNumber(4)]);
  });

  test('are deleted although they are more than one statement can name', async () => {
    const ids = Array.from({ length: 1_001 }, (_, at) => `write-${at}`);
    await writes.record(account, writeNumber(0));
    await writes.record(account, writeNumber(1_000));

    await writes.delete(account, ids);

    expect(await writes.list(account)).toEqual([]);
  });
});

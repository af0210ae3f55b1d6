import { expect, test } from 'vitest';
import { recordedLines } from '../../../test/support/no-recorder.ts';
import type { OperationLine } from '../../kernel/recorder.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import { createContactLoader } from './loader.ts';

const name = parseDomainName('example.com');
const other = parseDomainName('example.net');

/** The contacts of two domains, of which one read fails. */
function start(failure: Error) {
  const records: OperationLine[] = [];
  const getcontacts = async ({ domain }: { domain: string }) => {
    if (domain === name) throw failure;
    return {};
  };
  const recorder = recordedLines((record) => records.push(record));
  const api = { getcontacts } as unknown as DomainApi;
  return { records, loader: createContactLoader(api, {}, recorder) };
}

const upstream = { code: 'API_500_ERROR', message: 'No such contact' };

test.each([
  new Fault('NOT_FOUND', { upstream }),
  new Fault('UPSTREAM_TIMEOUT'),
  new Error('A bug.'),
])('a read that fails with %s fails the contacts of its domain only', async (failure) => {
  const { loader } = start(failure);

  const [failed, read] = await Promise.allSettled([loader.load(name), loader.load(other)]);

  expect(failed).toEqual({ status: 'rejected', reason: failure });
  expect(read).toEqual({ status: 'fulfilled', value: {} });
});

test('a read of contacts is recorder with its domain', async () => {
  const { loader, records } = start(new Fault('NOT_FOUND'));

  await loader.load(other);

  expect(records).toMatchObject([{ operation: 'contacts.read', subject: other }]);
});

import { expect, test } from 'vitest';
import { noTrail } from '../../../test/support/no-recorder.ts';
import { globalId } from '../../kernel/ids.ts';
import type { OperationEnd, RecordedOperation } from '../../kernel/recorder.ts';
import type { JobRecord } from '../../persistence/job-record.ts';
import { createJobRecorder } from './job-recorder.ts';

test.each(['Order', 'Purchase'])(
  'a write of a job has the id of its %s, its caller and its calls',
  async (typename) => {
    const entries: [RecordedOperation, OperationEnd][] = [];
    const trail = {
      ...noTrail,
      begin: async (operation: RecordedOperation) => (end: OperationEnd) =>
        void entries.push([operation, end]),
    };
    const job = { id: 'job-1', caller: 'shop', customer: 'maple' } as JobRecord;
    const recorderOf = createJobRecorder({ log: () => undefined, trail }, 'north');
    const { recorder, options } = recorderOf(typename, job);
    const write = { operation: 'registerDomain', subject: 'a.com', input: null };
    const work = async () => {
      for (let call = 0; call < 2; call += 1) options.onCall?.({} as never);
    };
    await recorder.write(write, work, () => 'SUCCEEDED');

    const requestId = globalId(typename, 'job-1');
    expect(entries).toMatchObject([
      [
        { requestId, caller: 'shop', customer: 'maple', tenant: 'north', domain: 'a.com' },
        { outcome: 'SUCCEEDED', upstreamCalls: 2 },
      ],
    ]);
  },
);

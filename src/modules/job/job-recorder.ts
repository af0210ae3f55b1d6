import { globalId } from '../../kernel/ids.ts';
import { createRecorder, type Recorder, type RecorderSinks } from '../../kernel/recorder.ts';
import type { TakenItem } from '../../persistence/job-record.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';

/** The recorder of the work on one item of a job. */
interface ItemRecorder {
  readonly recorder: Recorder;
  /** Of the calls of the item, which are counted. */
  readonly options: Pick<CallOptions, 'onCall'>;
}

/** Returns the recorder of an item. Its entries have the id of the job, of this type, in place of that of a request. */
export type RecorderOfItem = (typename: string, job: TakenItem['job']) => ItemRecorder;

export const createJobRecorder =
  (sinks: RecorderSinks, tenant: string): RecorderOfItem =>
  (typename, { id, caller, customer }) => {
    let calls = 0;
    const requestId = globalId(typename, id);
    const actor = { caller, customer, tenant, requestId, address: null };
    return {
      recorder: createRecorder(sinks, actor, () => calls),
      options: {
        onCall: () => {
          calls += 1;
        },
      },
    };
  };

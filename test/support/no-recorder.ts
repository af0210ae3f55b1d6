import {
  type OperationActor,
  type OperationTrail,
  createRecorder,
  type LogOperation,
} from '../../src/kernel/recorder.ts';
import { createJobRecorder } from '../../src/modules/job/job-recorder.ts';

/** Stores no operation. */
export const noTrail: OperationTrail = {
  begin: async () => () => undefined,
  add: async () => undefined,
  note: () => undefined,
  noteRefused: () => undefined,
  noteLater: () => undefined,
};

/** A recorder with lines of the log only. */
export const recordedLines = (log: LogOperation, actor: Partial<OperationActor> = {}) => {
  const noCaller = { caller: null, customer: null, tenant: 'a', requestId: 'b', address: null };
  return createRecorder({ log, trail: noTrail }, { ...noCaller, ...actor }, () => 0);
};

export const noJobRecorder = createJobRecorder({ log: () => undefined, trail: noTrail }, 'default');

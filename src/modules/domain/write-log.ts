import type { DomainName } from '../../kernel/domain-name.ts';
import type { DomainWrite } from '../../persistence/domain-write-store.ts';
import { tenantHook } from '../../scope/tenant.ts';

/** What a write sets, without the facts that the log adds. */
export type SentChange = Pick<DomainWrite, 'field' | 'value'>;

/** Records a change that is sent at the same time. */
export type RecordWrite = (domain: DomainName, change: SentChange) => RecordedWrite;

/** Must be called when the outcome of the change is known. */
export interface RecordedWrite {
  /** `value` is the value that is set now, as text; null when it is unknown. */
  executed(value: string | null): void;
  notExecuted(): void;
}

/** Stores which caller changes which field, for the events of the changes. */
export interface WriteLog {
  /** `caller` is the name of the key whose request causes the writes; null with open access. */
  of(caller: string | null): RecordWrite;
}

/** Without events. */
export const unrecorded: RecordedWrite = {
  executed: () => undefined,
  notExecuted: () => undefined,
};

/** By default nothing is stored. */
export const writeLog = tenantHook<WriteLog>('writeLog', () => ({ of: () => () => unrecorded }));

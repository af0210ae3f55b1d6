import type { DomainName } from '../../kernel/domain-name.ts';
import { tenantHook } from '../../scope/tenant.ts';

/** What a write sets. A sync may change any field. */
export type WrittenField = 'nameServers' | 'transferLocked' | 'privacyProtected' | 'sync';

/** What a write sets, without the facts that the log adds. */
export interface SentChange {
  readonly field: WrittenField;
  /** The value as text; null for a sync. */
  readonly value: string | null;
}

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

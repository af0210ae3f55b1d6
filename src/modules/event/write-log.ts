import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import type { DomainWrite, DomainWriteStore } from '../../persistence/domain-write-store.ts';
import type { EventStore } from '../../persistence/event-store.ts';
import { differencesBetween, stateAfterWrite } from './compare.ts';
import { readState } from './domains.ts';
import { sets } from './explanation.ts';

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

interface ExecutedWrite extends DomainWrite {
  readonly field: Exclude<DomainWrite['field'], 'sync'>;
  readonly value: string;
}

interface WriteLogOptions {
  readonly store: DomainWriteStore;
  readonly events: Pick<EventStore, 'revise'>;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomness: Pick<Randomness, 'uuid'>;
  /** Without events nothing reads the log. */
  readonly isEnabled: boolean;
  /** Called when the event of a write waits for its publication. */
  readonly onEvent: () => void;
  /** Called with a failure that is no fault of the journal. */
  readonly onError: (error: unknown) => void;
}

export type WriteLog = ReturnType<typeof createWriteLog>;

/**
 * Stores which caller changes which field, so that the event of the change has its source. The event of a change that was executed
 * is stored with the known state of the domain, before the next comparison. A write never waits for the log, and never fails
 * because of it.
 */
export function createWriteLog(options: WriteLogOptions) {
  const { store, events, account, clock, randomness, isEnabled, onEvent, onError } = options;
  const ignoreUnavailable = (error: unknown): void => {
    if (!(error instanceof Fault)) onError(error);
  };

  /** False for a domain without a known state, of which the next comparison decides. */
  const storeEvent = ({ domain, field, value, ...write }: ExecutedWrite): Promise<boolean> =>
    events.revise(account, domain, (seen) => {
      const before = readState(seen).state;
      if (!before) return null;
      const after = stateAfterWrite(before, { field, value, at: write.at });
      const found = differencesBetween(before, after).map((difference) => ({
        ...difference,
        ...write,
        subject: domain,
        domain,
        source: 'GATEWAY' as const,
        purchaseId: null,
      }));
      return { seen: JSON.stringify(after), events: found };
    });

  return {
    /** `caller` is the name of the key whose request causes the writes; null with open access. */
    of:
      (caller: string | null): RecordWrite =>
      (domain, { field, value }) => {
        if (!isEnabled) return unrecorded;
        const id = randomness.uuid();
        const recorded = store
          .record(account, { id, domain, field, value, caller, at: clock.now() })
          .catch(ignoreUnavailable);
        const forget = () => recorded.then(() => store.delete(account, [id]));
        return {
          executed(now) {
            if (field === 'sync' || now === null || !sets({ field, value }, now)) return;
            storeEvent({ id, domain, field, value: now, caller, at: clock.now() })
              .then((isStored) => {
                if (!isStored) return;
                onEvent();
                return forget();
              })
              .catch(ignoreUnavailable);
          },
          notExecuted: () => void forget().catch(ignoreUnavailable),
        };
      },
  };
}

/** Without events. */
export const unrecorded: RecordedWrite = {
  executed: () => undefined,
  notExecuted: () => undefined,
};

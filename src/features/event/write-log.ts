import { Fault } from '../../kernel/faults.ts';
import { unrecorded, type WriteLog } from '../../modules/domain/write.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import { differencesBetween, stateAfterWrite } from './compare.ts';
import { readState } from './domains.ts';
import { sets } from './explanation.ts';
import type { EventStore } from './store.ts';
import type { DomainWrite, DomainWriteStore } from './write-store.ts';

interface ExecutedWrite extends DomainWrite {
  readonly field: Exclude<DomainWrite['field'], 'sync'>;
  readonly value: string;
}

interface WriteLogOptions extends Pick<TenantFacts, 'account' | 'clock' | 'randomness'> {
  readonly store: DomainWriteStore;
  readonly events: Pick<EventStore, 'revise'>;
  /** Without events nothing reads the log. */
  readonly isEnabled: boolean;
  /** Called when the event of a write waits for its publication. */
  readonly onEvent: () => void;
  /** Called with a failure that is no fault of the journal. */
  readonly onError: (error: unknown) => void;
}

/**
 * Stores which caller changes which field, so that the event of the change has its source. The event of a change that was executed
 * is stored with the known state of the domain, before the next comparison. A write never waits for the log, and never fails
 * because of it.
 */
export function createWriteLog(options: WriteLogOptions): WriteLog {
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
    of:
      (caller) =>
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

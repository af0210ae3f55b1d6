import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import type { DomainWrite, DomainWriteStore } from '../../persistence/domain-write-store.ts';

/** What a write sets, without the facts that the log adds. */
export type SentChange = Pick<DomainWrite, 'field' | 'value'>;

/** Records a change that is about to be sent. Returns the function to call when it is known not to be executed. */
export type RecordWrite = (domain: DomainName, change: SentChange) => () => void;

interface WriteLogOptions {
  readonly store: DomainWriteStore;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomness: Pick<Randomness, 'uuid'>;
  /** Without events nothing reads the log. */
  readonly isEnabled: boolean;
  /** Called with a failure that is no fault of the journal. */
  readonly onError: (error: unknown) => void;
}

export type WriteLog = ReturnType<typeof createWriteLog>;

/**
 * Stores which caller changes which field, so that the event of the change has its source. A write never waits for the log,
 * and never fails because of it.
 */
export function createWriteLog(options: WriteLogOptions) {
  const { store, account, clock, randomness, isEnabled, onError } = options;
  const ignoreUnavailable = (error: unknown): void => {
    if (!(error instanceof Fault)) onError(error);
  };
  return {
    /** `caller` is the name of the key whose request causes the writes; null with open access. */
    of:
      (caller: string | null): RecordWrite =>
      (domain, change) => {
        if (!isEnabled) return () => undefined;
        const id = randomness.uuid();
        const recorded = store
          .record(account, { id, domain, ...change, caller, at: clock.now() })
          .catch(ignoreUnavailable);
        return () => {
          recorded.then(() => store.delete(account, [id])).catch(ignoreUnavailable);
        };
      },
  };
}

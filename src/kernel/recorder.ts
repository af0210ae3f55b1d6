import { type DomainName, tryParseDomainName } from './domain-name.ts';
import { Fault } from './faults.ts';
import { toStoredJson } from './stored-json.ts';

/** One recorded operation in the log of the process. It never contains a value that was read or written. */
export interface OperationLine {
  /** `authcode.read`, `contacts.read`, or the name of a mutation. */
  readonly operation: string;
  /** The domain; null for an action without one. */
  readonly subject: string | null;
  /** Name of the API key or token; null when requests need no credential. */
  readonly caller: string | null;
  readonly tenant: string;
  readonly requestId: string;
  /** `OK`, the state of a purchase, or an error code. */
  readonly outcome: string;
}

export type LogOperation = (line: OperationLine) => void;

/** The request or the job that causes an operation. */
export interface OperationActor extends Pick<OperationLine, 'caller' | 'tenant' | 'requestId'> {
  /** The customer to which the caller is bound; null for none. */
  readonly customer: string | null;
  /** IP address of the client; null when it is not known. */
  readonly address: string | null;
}

/** An operation that is recorded, without its outcome. */
export interface RecordedOperation extends OperationActor {
  readonly operation: string;
  readonly domain: DomainName | null;
  /** The input as canonical text, of which only a hash is stored; null without an input. */
  readonly input: string | null;
}

export interface OperationEnd {
  readonly outcome: string;
  /** Calls that the operation sent; null when they are not counted. */
  readonly upstreamCalls: number | null;
  /** Attempts that were refused for a missing scope, for which the entry stands; absent for another end. */
  readonly refusals?: number;
}

/** Stores how an operation ended. It does not fail, and the operation does not wait for it. */
export type EndOperation = (end: OperationEnd) => void;

/** The stored operations of a tenant. */
export interface OperationTrail {
  /** Stores that an operation begins. @throws Fault `JOURNAL_UNAVAILABLE` when it must be stored and is not. */
  begin(operation: RecordedOperation): Promise<EndOperation>;
  /** Stores an operation that has ended. @throws as `begin` */
  add(operation: RecordedOperation, end: OperationEnd): Promise<void>;
  /** As `add`, for an operation that was refused. It does not fail. */
  note(operation: RecordedOperation, end: OperationEnd): void;
  /** As `note`, for a missing scope. An entry above the limit of a caller is left out, and the next one has its number too. */
  noteRefused(operation: RecordedOperation, end: Required<OperationEnd>): void;
  /** As `note`, for a frequent read: the entries of a second are stored together. */
  noteLater(operation: RecordedOperation, end: OperationEnd): void;
}

/** The stored operations of an account, for commands. */
export interface CommandTrail {
  /** Stores that an operation begins, and returns what stores its end. @throws Fault `JOURNAL_UNAVAILABLE` */
  begin(operation: RecordedOperation): Promise<(end: OperationEnd) => Promise<void>>;
  /** Stores operations that have ended. @throws as `begin` */
  add(operations: readonly RecordedOperation[], end: OperationEnd): Promise<void>;
}

/** Where operations are recorded. */
export interface RecorderSinks {
  readonly log: LogOperation;
  readonly trail: OperationTrail;
}

/** A write, before it runs. */
interface RecordedWrite {
  readonly operation: string;
  /** The domain as the caller wrote it; null without one. */
  readonly subject: string | null;
  /** The domains of a write of several. When it has been made, each has an entry too. */
  readonly subjects?: readonly string[];
  readonly input: unknown;
  /** Whether it changes nothing, so that it has no entry. */
  readonly isDryRun?: boolean;
}

/** Records the operations of one request or job. */
export interface Recorder {
  /**
   * Runs a read of secrets. Its entry is stored before the value is returned. Without a subject the first read of a request has
   * the entry of all. @throws as `OperationTrail.add`
   */
  read<T>(operation: string, subject: string | null, work: () => T | Promise<T>): Promise<T>;
  /** Logs a read without an entry. */
  logged<T>(operation: string, subject: string, work: () => Promise<T>): Promise<T>;
  /** Stores that many objects are read. The read does not wait for it. */
  bulkRead(operation: string): void;
  /** Records a read of secrets that is refused; of several refusals of an operation the first. */
  refused(operation: string, subject: string | null, code: string): void;
  /** Records a write that is refused, with the number of refused ones in its document. */
  refusedWrite(
    write: Pick<RecordedWrite, 'operation' | 'subject' | 'input'>,
    code: string,
    refusals: number,
  ): void;
  /** Runs a write. Its entry is stored before `work` starts. @throws as `OperationTrail.begin` */
  write<T>(
    write: RecordedWrite,
    work: () => Promise<T>,
    outcomeOf: (value: T) => string,
  ): Promise<T>;
}

/** The outcome of an operation that failed. */
export const codeOf = (error: unknown): string =>
  error instanceof Fault ? error.code : 'INTERNAL';

const readEnd: OperationEnd = { outcome: 'OK', upstreamCalls: null };

/** The entries and the lines of the operations of an actor. */
function writerOf(log: LogOperation, actor: OperationActor) {
  const { caller, tenant, requestId } = actor;
  return {
    entryOf: (operation: string, subject: string | null, input?: unknown): RecordedOperation => ({
      ...actor,
      operation,
      domain: subject === null ? null : tryParseDomainName(subject),
      input: input === undefined ? null : toStoredJson(input),
    }),
    logLine: (operation: string, subject: string | null, outcome: string) =>
      log({ operation, subject, caller, tenant, requestId, outcome }),
  };
}

/** `countCalls` returns the upstream calls of the request until now. */
export function createRecorder(
  { log, trail }: RecorderSinks,
  actor: OperationActor,
  countCalls: () => number,
): Recorder {
  const { entryOf, logLine } = writerOf(log, actor);
  const refusedReads = new Set<string>();
  const shared = new Map<string, Promise<void>>();
  const addRead = async (operation: string, subject: string | null) => {
    await trail.add(entryOf(operation, subject), readEnd);
    logLine(operation, subject, 'OK');
  };

  return {
    async read(operation, subject, work) {
      try {
        const value = await work();
        const stored = (subject === null && shared.get(operation)) || addRead(operation, subject);
        if (subject === null) shared.set(operation, stored);
        await stored;
        return value;
      } catch (error) {
        const outcome = codeOf(error);
        logLine(operation, subject, outcome);
        trail.note(entryOf(operation, subject), { outcome, upstreamCalls: null });
        throw error;
      }
    },
    async logged(operation, subject, work) {
      let outcome = 'OK';
      try {
        return await work();
      } catch (error) {
        outcome = codeOf(error);
        throw error;
      } finally {
        logLine(operation, subject, outcome);
      }
    },
    bulkRead: (operation) => trail.noteLater(entryOf(operation, null), readEnd),
    refused(operation, subject, outcome) {
      if (refusedReads.has(operation)) return;
      refusedReads.add(operation);
      // The parent of the field may be another object than a domain.
      const domain = subject === null ? null : tryParseDomainName(subject);
      logLine(operation, domain, outcome);
      const end = { outcome, upstreamCalls: null, refusals: 1 };
      trail.noteRefused(entryOf(operation, domain), end);
    },
    refusedWrite({ operation, subject, input }, outcome, refusals) {
      logLine(operation, subject, outcome);
      const end = { outcome, upstreamCalls: 0, refusals };
      trail.noteRefused(entryOf(operation, subject, input), end);
    },
    async write({ operation, subject, subjects = [], input, isDryRun = false }, work, outcomeOf) {
      const entry = entryOf(operation, subject, input);
      const callsBefore = countCalls();
      let end: EndOperation = isDryRun ? () => undefined : (how) => trail.note(entry, how);
      const finish = (outcome: string) => {
        logLine(operation, subject, outcome);
        end({ outcome, upstreamCalls: countCalls() - callsBefore });
      };
      try {
        if (!isDryRun) end = await trail.begin(entry);
        const value = await work();
        const outcome = outcomeOf(value);
        finish(outcome);
        if (outcome === 'OK') {
          for (const domain of new Set(subjects.map(tryParseDomainName))) {
            trail.note({ ...entry, domain }, { outcome, upstreamCalls: null });
          }
        }
        return value;
      } catch (error) {
        finish(codeOf(error));
        throw error;
      }
    },
  };
}

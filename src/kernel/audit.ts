import { Fault } from './faults.ts';

/** One line of the audit log. It never contains a value that was read or written. */
export interface AuditLine {
  /** `authcode.read`, `contacts.read`, or the name of a mutation. */
  readonly audit: string;
  /** The domain; null for an action without one. */
  readonly subject: string | null;
  /** Name of the API key or token; null when requests need no credential. */
  readonly caller: string | null;
  readonly tenant: string;
  readonly requestId: string;
  /** `OK`, the state of a purchase, or an error code. */
  readonly outcome: string;
}

export type WriteAudit = (line: AuditLine) => void;

/** Runs `work` and logs its outcome when it has ended, also when it fails. */
export type Audited = <T>(
  audit: string,
  subject: string | null,
  work: () => T | Promise<T>,
  outcomeOf?: (value: T) => string,
) => Promise<T>;

/** The audit of one request. */
export const createAudited =
  (write: WriteAudit, who: Pick<AuditLine, 'caller' | 'tenant' | 'requestId'>): Audited =>
  async (audit, subject, work, outcomeOf = () => 'OK') => {
    const log = (outcome: string) => write({ ...who, audit, subject, outcome });
    try {
      const value = await work();
      log(outcomeOf(value));
      return value;
    } catch (error) {
      log(error instanceof Fault ? error.code : 'INTERNAL');
      throw error;
    }
  };

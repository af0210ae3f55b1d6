import { Fault } from '../kernel/faults.ts';

/** One line of the audit: who asked for what of which domain, and what became of it. Never a value. */
export interface AuditLine {
  /** `authcode.read`, `contacts.read`, or the name of a mutation. */
  readonly audit: string;
  /** The domain; null where it is about none. */
  readonly subject: string | null;
  /** The name of the caller; null where nobody is asked who they are. */
  readonly caller: string | null;
  readonly tenant: string;
  readonly requestId: string;
  /** `OK`, the state of a purchase, or the code of an error. */
  readonly outcome: string;
}

export type WriteAudit = (line: AuditLine) => void;

/** Does what is written down, and writes it down once it has ended, also when it failed. */
export type Audited = <T>(
  audit: string,
  subject: string | null,
  work: () => T | Promise<T>,
  outcomeOf?: (value: T) => string,
) => Promise<T>;

/** Writes down what is done for one request. */
export const createAudited =
  (write: WriteAudit, who: Pick<AuditLine, 'caller' | 'tenant' | 'requestId'>): Audited =>
  async (audit, subject, work, outcomeOf = () => 'OK') => {
    const tell = (outcome: string) => write({ ...who, audit, subject, outcome });
    try {
      const value = await work();
      tell(outcomeOf(value));
      return value;
    } catch (error) {
      tell(error instanceof Fault ? error.code : 'INTERNAL');
      throw error;
    }
  };

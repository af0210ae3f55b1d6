import { z } from 'zod';
import { parseDomainName } from './domain-name.ts';

const domain = z.string().transform(parseDomainName);

/**
 * What a replica sends to the other replicas of an account. A notice that is lost only delays: cached data expires, and every replica
 * polls the journal.
 */
export const noticeShape = z.discriminatedUnion('kind', [
  /** A write on a domain has ended, with any outcome. `action` is one of the Domain API. */
  z.object({ kind: z.literal('write'), action: z.string(), domain }),
  /** A purchase was settled; the journal has its outcome. */
  z.object({ kind: z.literal('settled'), id: z.string(), domain }),
  /** The upstream requested a pause of all calls to one API. */
  z.object({
    kind: z.literal('pause'),
    api: z.enum(['domain', 'account']),
    ms: z.number().nonnegative(),
  }),
  /** There are items of jobs that are due. */
  z.object({ kind: z.literal('jobs') }),
]);

export type Notice = z.output<typeof noticeShape>;

/** Notices to and from the other replicas of one account. No function throws or waits. */
export interface Notices {
  send(notice: z.input<typeof noticeShape>): void;
  /** Returns the function that ends it. */
  follow(listener: (notice: Notice) => void): () => void;
}

import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { type Leaf, leafOr } from '../../kernel/leaf.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import { sendRepeatable, type WriteTime } from '../send.ts';
import type { DomainReads } from './loader.ts';

export interface WriteDeps extends WriteTime {
  readonly api: DomainApi;
  readonly options: CallOptions;
  readonly domains: DomainReads;
  readonly forget: (name: DomainName) => void;
}

/** Sends one write about a domain; what is read of that domain afterwards is read anew, also when the write failed. */
export async function writeTo<T>(
  { forget }: Pick<WriteDeps, 'forget'>,
  domain: DomainName,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } finally {
    forget(domain);
  }
}

/** Something to be set on a domain: sending it again changes nothing more. */
interface Setting<T> {
  readonly domain: DomainName;
  readonly send: (options: CallOptions) => Promise<T>;
  /** What a read shows of it: null when it is not set, the fault of the member when that can't be read. */
  readonly shown: (details: DomainDetails) => Leaf<T | null>;
}

/**
 * Sets something on a domain. A lost answer is looked for by `getdetails`, and what that does not show is sent once more.
 *
 * @throws Fault the refusal of the service; `NOT_FOUND` when the account has no such domain; `OUTCOME_UNKNOWN` when
 * neither answers nor reads tell whether it is set.
 */
export async function setOn<T>(deps: WriteDeps, { domain, send, shown }: Setting<T>): Promise<T> {
  try {
    return await sendSetting(deps, { domain, send, shown });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'LOCKED') throw error;
    throw await withStatus(deps, domain, error);
  }
}

/** The refusal with the status that causes it, at the price of one `getdetails` where the budget has one to spare. */
async function withStatus(
  { domains, budget }: WriteDeps,
  domain: DomainName,
  refusal: Fault,
): Promise<Fault> {
  const details = budget.takeSpare() ? await domains.load(domain).catch(() => null) : null;
  const status = leafOr(details?.status ?? null, null);
  // While the account says that all is well, it is a status at the registry that only a sync would show.
  if (status === null || /^(?:active|ok)$/i.test(status)) return refusal;
  return refusal.with({
    message: `The status of ${domain} is ${status}, which does not allow this change.`,
    facts: { ...refusal.facts, status },
  });
}

const sendSetting = <T>(deps: WriteDeps, { domain, send, shown }: Setting<T>): Promise<T> =>
  sendRepeatable(deps, {
    send: (limit) => writeTo(deps, domain, () => send({ ...deps.options, ...limit })),
    async look() {
      const details = await truthOf(deps, domain);
      return details instanceof Fault ? details : shown(details);
    },
    unclear: (wasRead) =>
      `Whether it was done is not known: ${domain} ${wasRead ? 'does not show it yet' : 'cannot be read'}. Read the domain before you send it again, which does no harm.`,
  });

/** @throws Fault `NOT_FOUND`: what the account does not have was not changed either. */
async function truthOf({ domains }: WriteDeps, domain: DomainName): Promise<Leaf<DomainDetails>> {
  const details = await domains.truth(domain).catch(unread);
  if (details === null) throw new Fault('NOT_FOUND');
  return details;
}

/** Whatever keeps us from reading leaves the question open. */
const unread = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });

import { type DomainName, tryParseDomainName } from '../../kernel/domain-name.ts';
import { fromStoredJson } from '../../kernel/stored-json.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ContactInput } from '../../modules/contact/contact-input.ts';
import type { WholePurchase } from '../../modules/purchase-job/whole-purchase.ts';
import type { JobItem } from '../../persistence/job-record.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { StoredReads } from '../../scope/reads.ts';
import type { Approval } from './store.ts';

/** A registration that waits, with the values of its input. */
export interface RequestedRegistration {
  readonly domainName: DomainName | null;
  readonly registrant: ContactInput | null;
  readonly nameServers: readonly string[] | null;
}

/** Registrations that an approval shows. */
export const maxRegistrations = 100;

interface ReadDeps {
  readonly journal: Pick<Journal, 'jobs'>;
  readonly stored: Pick<StoredReads, 'inTurn'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The registrations of a purchase or an order, until they are sent or refused: an item that has ended has no input. */
export async function readRegistrations(
  { journal, stored, clock }: ReadDeps,
  { id, jobKind }: Approval,
): Promise<RequestedRegistration[]> {
  if (jobKind !== 'PURCHASE' && jobKind !== 'ORDER') return [];
  const page = { after: -1, limit: maxRegistrations, at: clock.now() };
  const items = await stored.inTurn(() => journal.jobs.page(id, page));
  return items.flatMap((item) => registrationOf(item) ?? []);
}

function registrationOf({ domain, input }: JobItem): RequestedRegistration | null {
  const purchase: WholePurchase | null = fromStoredJson(input ?? 'null');
  if (purchase?.kind !== 'REGISTRATION') return null;
  const { registrant, nameServers } = purchase.input;
  return {
    domainName: tryParseDomainName(domain),
    registrant: registrant?.contact ?? null,
    nameServers,
  };
}

import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { valueOr } from '../../kernel/field-result.ts';
import type { Availability } from '../availability/check.ts';
import type { Loaders } from '../loaders.ts';
import { type Checks, checkDomain } from '../mutation/checks.ts';
import { checkNameServers } from '../name-server/rules.ts';
import { checkTld, isClear, type Priced, type PurchaseGuards } from '../purchase/checks.ts';
import type { PurchaseOperation } from '../purchase/flow.ts';
import { obstacleIn } from '../purchase/ownership.ts';
import type { Quote } from '../quote/quotes.ts';
import { type ContactInput, canonicalContact, contactToWire, oneLine } from './contact-input.ts';

/** The input of `registerDomain`, with names in any spelling. */
export interface RegisterInput extends PurchaseGuards {
  readonly domain: string;
  /** Default: the shortest that can be bought. */
  readonly period?: number | null | undefined;
  readonly nameServers: readonly string[];
  readonly registrant: ContactInput;
  readonly contact?: ContactInput | null | undefined;
  readonly privacyProtected: boolean;
  readonly transferLocked: boolean;
  readonly acceptPremium: boolean;
}

/** Registers an available domain. */
export const registerOperation: PurchaseOperation<RegisterInput> = {
  kind: 'REGISTRATION',
  prepare(checks, rawInput) {
    const { period, acceptPremium } = rawInput;
    // Two spellings of a name or of a contact have one fingerprint.
    const input = {
      ...rawInput,
      domain: checkDomain(checks, rawInput.domain),
      nameServers: checkNameServers(checks, rawInput.nameServers),
      registrant: canonicalContact(rawInput.registrant),
      contact: rawInput.contact && canonicalContact(rawInput.contact),
    };
    const request = toRequest(checks, input);
    return {
      input,
      check: (reads, domain) => checkRegistration(checks, reads, { domain, period, acceptPremium }),
      send:
        request &&
        ((api, { domain, period: years }, options) =>
          api.registerdomain({ ...request, domain, period: years }, options)),
    };
  },
};

/**
 * The checks of a registration that read the upstream. `mayReadOwned` allows the call that reads whether the account owns a
 * taken name.
 */
export async function checkRegistration(
  checks: Checks,
  reads: Loaders,
  { domain, period = null, acceptPremium }: Registration,
  mayReadOwned = () => true,
): Promise<Priced> {
  const [tld, availability] = await Promise.all([
    checkTld(checks, reads, domain, { operation: 'REGISTRATION', period }),
    reads.availability.load(domain),
  ]);
  const quote = tld && reads.quotes.ofRegistration(tld, availability, period);
  if (isClear(checks, 'domain')) {
    const premium = { acceptPremium, quote };
    await checkAvailability(checks, reads, availability, premium, mayReadOwned);
  }
  return { tld, quote };
}

interface Registration extends Pick<RegisterInput, 'period' | 'acceptPremium'> {
  readonly domain: DomainName;
}

/** The upstream request without its domain and period; null when a contact is not valid. */
function toRequest(checks: Checks, input: Omit<RegisterInput, 'domain'>) {
  const registrant = contactToWire(checks, ['input', 'registrant'], input.registrant);
  const contact = input.contact
    ? contactToWire(checks, ['input', 'contact'], input.contact)
    : registrant;
  if (!registrant || !contact) return null;
  const { AddressLine2, ...registrantWire } = registrant;
  return {
    // The upstream has no second address line for the registrant, so it is appended to the first.
    registrant: {
      ...registrantWire,
      AddressLine1: oneLine(registrant.AddressLine1, AddressLine2),
    },
    contact,
    nameservers: [...input.nameServers],
    privacyProtection: input.privacyProtected,
    eppLock: input.transferLocked,
  };
}

async function checkAvailability(
  checks: Checks,
  { domains }: Loaders,
  { name, state, offer, fault }: Availability,
  { acceptPremium, quote }: { readonly acceptPremium: boolean; readonly quote: Quote | null },
  mayReadOwned: () => boolean,
): Promise<void> {
  const path = ['input', 'domain'];
  if (state === 'TAKEN') {
    // Only a taken name is worth a call that reads whether the account owns it.
    const owned = mayReadOwned() ? await domains.load(name).catch(() => null) : null;
    const code = obstacleIn(owned, 'REGISTRATION') ?? 'NOT_AVAILABLE';
    const reason = valueOr(offer?.reason ?? null, null);
    checks.add(
      new Fault(code, {
        path,
        ...(code === 'NOT_AVAILABLE' && { message: `${name} is not available for registration.` }),
        ...(reason && { upstream: { code: '', message: reason } }),
      }),
    );
  } else if (state !== 'AVAILABLE') {
    // A check that failed is about no field of the input.
    const about = { path: state === 'UNKNOWN' ? [] : path, executed: 'NO' } as const;
    checks.add((fault ?? new Fault('NOT_AVAILABLE')).with(about));
  } else if (valueOr(offer?.premium ?? false, true) && !acceptPremium) {
    checks.add(
      new Fault('PREMIUM_NOT_ACCEPTED', {
        path: ['input', 'acceptPremium'],
        facts: quote?.highest ? { price: quote.highest } : {},
      }),
    );
  }
}

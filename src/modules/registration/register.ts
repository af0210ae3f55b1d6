import { type DomainName, tryParseDomainName } from '../../kernel/domain-name.ts';
import { Fault, valueOr } from '../../kernel/faults.ts';
import type { Reads } from '../../scope/reads.ts';
import type { Availability } from '../availability/check.ts';
import { availabilityReads } from '../availability/loader.ts';
import { canonicalContact, contactToWire, oneLine } from '../contact/contact-input.ts';
import { domainReads } from '../domain/loader.ts';
import { type Checks, checkDomain, createChecks } from '../mutation/checks.ts';
import { checkNameServers } from '../name-server/rules.ts';
import { checkTld, isClear, type Priced, type PurchaseGuards } from '../purchase/checks.ts';
import type { PreparedPurchase, PurchaseOperation } from '../purchase/flow.ts';
import { obstacleIn } from '../purchase/ownership.ts';
import {
  type ContactChoice,
  type GivenContact,
  type RegistrationValues,
  readStoredValues,
  type WholeValues,
} from '../purchase/registration-values.ts';
import { pricing, type Quote } from '../quote/quotes.ts';

/** The input of `registerDomain` as a client sends it, with names in any spelling. */
export interface RegisterInput extends PurchaseGuards, RegistrationValues {
  readonly domain: string;
  /** Default: the shortest that can be bought. */
  readonly period?: number | null | undefined;
  readonly acceptPremium: boolean;
}

/** A registration with all its values. */
export type WholeRegistration = Omit<RegisterInput, keyof WholeValues> & WholeValues;

/** Registers an available domain. */
export const registerOperation: PurchaseOperation<RegisterInput> = {
  kind: 'REGISTRATION',
  // A stored contact is the same input after a change of it.
  identify: (input) => ({
    ...input,
    domain: tryParseDomainName(input.domain),
    nameServers: input.nameServers && checkNameServers(createChecks(), input.nameServers),
    registrant: input.registrant && canonicalChoice(input.registrant),
    contact: input.contact && canonicalChoice(input.contact),
  }),
  async prepare(checks, input, deps) {
    const stored = await readStoredValues(deps, [input]);
    return prepareRegistration(checks, { ...input, ...stored.complete(checks, input) });
  },
};

const canonicalChoice = (choice: ContactChoice): ContactChoice =>
  choice.fields ? { fields: canonicalContact(choice.fields) } : choice;

/** Makes the checks of a registration that need no read. */
export function prepareRegistration(checks: Checks, input: WholeRegistration): PreparedPurchase {
  const { period, acceptPremium, nameServers } = input;
  const domain = checkDomain(checks, input.domain);
  const request = toRequest(checks, {
    ...input,
    nameServers: nameServers && checkNameServers(checks, nameServers),
  });
  return {
    domain,
    input,
    check: (reads, name) =>
      checkRegistration(checks, reads, { domain: name, period, acceptPremium }),
    send:
      request &&
      ((api, { domain: name, period: years }, options) =>
        api.registerdomain({ ...request, domain: name, period: years }, options)),
  };
}

/**
 * The checks of a registration that read the upstream. `mayReadOwned` allows the call that reads whether the account owns a
 * taken name.
 */
export async function checkRegistration(
  checks: Checks,
  reads: Reads,
  { domain, period = null, acceptPremium }: Registration,
  mayReadOwned = () => true,
): Promise<Priced> {
  const [tld, availability] = await Promise.all([
    checkTld(checks, reads, domain, { operation: 'REGISTRATION', period }),
    reads.use(availabilityReads).load(domain),
  ]);
  const quote = tld && reads.use(pricing).ofRegistration(tld, availability, period);
  if (isClear(checks, 'domain')) {
    const premium = { acceptPremium, quote };
    await checkAvailability(checks, reads, availability, premium, mayReadOwned);
  }
  return { tld, premium: valueOr(availability.offer?.premium ?? null, null), quote };
}

interface Registration extends Pick<RegisterInput, 'period' | 'acceptPremium'> {
  readonly domain: DomainName;
}

/** The upstream request without its domain and period; null when a value is missing or not valid. */
function toRequest(checks: Checks, input: WholeValues) {
  const toWire = (given: GivenContact | null) =>
    given && contactToWire(checks, ['input', ...given.path], given.contact);
  const registrant = toWire(input.registrant);
  const contact = input.contact ? toWire(input.contact) : registrant;
  if (!registrant || !contact || !input.nameServers) return null;
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
  reads: Reads,
  { name, state, offer, fault }: Availability,
  { acceptPremium, quote }: { readonly acceptPremium: boolean; readonly quote: Quote | null },
  mayReadOwned: () => boolean,
): Promise<void> {
  const path = ['input', 'domain'];
  if (state === 'TAKEN') {
    // Only a taken name is worth a call that reads whether the account owns it.
    const owned = mayReadOwned()
      ? await reads
          .use(domainReads)
          .load(name)
          .catch(() => null)
      : null;
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

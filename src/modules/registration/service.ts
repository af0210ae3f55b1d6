import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import type { Availability } from '../availability/check.ts';
import { type Checks, createChecks } from '../problems.ts';
import { obstacleIn } from '../purchase/possession.ts';
import { type Quote, quoteRegistration } from '../quote/quote.ts';
import type { PurchaseAnswer } from './answer.ts';
import { type BuyDeps, buy } from './buy.ts';
import { contactToWire } from './contact-input.ts';
import { checkTld, isClear, type Reads } from './order-checks.ts';
import {
  type CanonicalRegisterInput,
  canonicalRegisterInput,
  type RegisterInput,
} from './register-input.ts';

export interface PurchaseServiceDeps extends BuyDeps {
  readonly api: DomainApi;
  readonly options: CallOptions;
}

/** Buys domains that nobody has. */
export const createRegistrationService = ({ api, options, ...deps }: PurchaseServiceDeps) => ({
  register(input: RegisterInput): Promise<PurchaseAnswer> {
    const checks = createChecks();
    const asked = canonicalRegisterInput(checks, input);
    const requestFor = checkRequest(checks, asked);
    return buy(deps, 'REGISTER', asked, checks, async (domain) => {
      const { reads } = deps;
      const { period } = input;
      const [tld, availability] = await Promise.all([
        checkTld(checks, reads, domain, period),
        reads.availability.load(domain),
      ]);
      const quote = tld && quoteRegistration(tld, availability, period);
      if (isClear(checks, 'domain')) {
        await checkAvailability(checks, reads, availability, input, quote);
      }
      const request = requestFor && { ...requestFor, domain };
      return { tld, quote, send: request && (() => api.registerdomain(request, options)) };
    });
  },
});

/** All of the request but its domain; null when a contact is not valid. */
function checkRequest(checks: Checks, input: CanonicalRegisterInput) {
  const registrant = contactToWire(checks, ['input', 'registrant'], input.registrant);
  const contact = input.contact
    ? contactToWire(checks, ['input', 'contact'], input.contact)
    : registrant;
  if (!registrant || !contact) return null;
  const { AddressLine2, ...registrantWire } = registrant;
  return {
    period: input.period,
    // A registrant has no second line on the wire, so it joins the first.
    registrant: {
      ...registrantWire,
      AddressLine1: [registrant.AddressLine1, AddressLine2].filter(Boolean).join(', '),
    },
    contact,
    nameservers: [...input.nameServers],
    privacyProtection: input.privacyProtected,
    eppLock: input.transferLocked,
  };
}

async function checkAvailability(
  checks: Checks,
  { domains }: Reads,
  { name, state, offer, fault }: Availability,
  { acceptPremium }: RegisterInput,
  quote: Quote | null,
): Promise<void> {
  const path = ['input', 'domain'];
  if (state === 'TAKEN') {
    // Only now is it worth a call whether the account has the domain itself.
    const owned = await domains.load(name).catch(() => null);
    const code = obstacleIn(owned, 'REGISTER') ?? 'NOT_AVAILABLE';
    const reason = leafOr(offer?.reason ?? null, null);
    checks.add(
      new Fault(code, {
        path,
        ...(code === 'NOT_AVAILABLE' && { message: `${name} is not available for registration.` }),
        ...(reason && { upstream: { code: '', message: reason } }),
      }),
    );
  } else if (state !== 'AVAILABLE') {
    checks.add((fault ?? new Fault('NOT_AVAILABLE')).with({ path, executed: 'NO' }));
  } else if (leafOr(offer?.premium ?? false, true) && !acceptPremium) {
    checks.add(
      new Fault('PREMIUM_NOT_ACCEPTED', {
        path: ['input', 'acceptPremium'],
        facts: quote?.highest ? { price: quote.highest } : {},
      }),
    );
  }
}

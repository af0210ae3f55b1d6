import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import { Decimal, type Money } from '../../kernel/money.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import { type Availability, offeredPrice } from '../availability/check.ts';
import { type Checks, createChecks } from '../problems.ts';
import { listedForYears } from '../tld/loader.ts';
import type { PurchaseAnswer } from './answer.ts';
import { type BuyDeps, buy } from './buy.ts';
import { contactToWire } from './contact-input.ts';
import { checkTld, isClear } from './order-checks.ts';
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
      const price = tld ? priceOf(tld, availability, period) : null;
      if (isClear(checks, 'domain')) checkAvailability(checks, availability, input, price);
      const request = requestFor && { ...requestFor, domain };
      return { tld, price, send: request && (() => api.registerdomain(request, options)) };
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

/** What it costs: a premium name what its offer says per year, any other what is listed, or else offered, for the years. */
function priceOf(tld: TldDetails, availability: Availability, period: number): Money | null {
  const offered = offeredPrice(availability);
  const forYears = offered && {
    ...offered,
    amount: offered.amount.times(Decimal.parse(String(period))),
  };
  if (leafOr(availability.offer?.premium ?? false, true)) return forYears;
  // The list may be older than the offer, which therefore decides where only one year is listed.
  const listed = listedForYears(tld, 'REGISTRATION', period);
  return listed && (listed.of > 1 || !forYears) ? listed.price : forYears;
}

function checkAvailability(
  checks: Checks,
  { name, state, offer, fault }: Availability,
  { acceptPremium }: RegisterInput,
  price: Money | null,
): void {
  const path = ['input', 'domain'];
  if (state === 'TAKEN') {
    const reason = leafOr(offer?.reason ?? null, null);
    const message = `${name} cannot be registered${reason ? `: ${reason}` : ''}.`;
    checks.add(new Fault('NOT_AVAILABLE', { message, path }));
  } else if (state !== 'AVAILABLE') {
    checks.add((fault ?? new Fault('NOT_AVAILABLE')).with({ path, executed: 'NO' }));
  } else if (leafOr(offer?.premium ?? false, true) && !acceptPremium) {
    checks.add(
      new Fault('PREMIUM_NOT_ACCEPTED', {
        path: ['input', 'acceptPremium'],
        facts: price ? { price } : {},
      }),
    );
  }
}

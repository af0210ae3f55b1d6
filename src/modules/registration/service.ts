import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import { Decimal, type Money } from '../../kernel/money.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import { type Availability, offeredPrice } from '../availability/loader.ts';
import { createChecks } from '../problems.ts';
import { listedForYears } from '../tld/loader.ts';
import { type PurchaseAnswer, tellPurchase } from './answer.ts';
import { type ContactInput, contactToWire } from './contact-input.ts';
import { fingerprint } from './fingerprint.ts';
import {
  type Checks,
  checkBalance,
  checkKey,
  checkNameServers,
  checkPrice,
  checkTld,
  type Guards,
  isClear,
  type Reads,
} from './order-checks.ts';
import type { Purchase } from './purchase.ts';

export interface RegisterInput extends Guards {
  readonly domain: DomainName;
  /** Years. */
  readonly period: number;
  readonly nameServers: readonly DomainName[];
  readonly registrant: ContactInput;
  readonly contact?: ContactInput | null | undefined;
  readonly privacyProtected: boolean;
  readonly transferLocked: boolean;
  readonly acceptPremium: boolean;
}

export interface PurchaseServiceDeps {
  readonly api: DomainApi;
  readonly reads: Reads;
  readonly purchase: Purchase;
  readonly options: CallOptions;
  /** Of the request, beside the one that an input may have. */
  readonly idempotencyKey: string | null;
}

/** Buys domains. Every check that costs nothing comes before the claim, and all that fail are told at once. */
export const createRegistrationService = ({
  api,
  reads,
  purchase,
  options,
  idempotencyKey,
}: PurchaseServiceDeps) => ({
  register: (input: RegisterInput): Promise<PurchaseAnswer> =>
    tellPurchase(input, async () => {
      const { idempotencyKey: _key, dryRun, ...asked } = input;
      const checks = createChecks();
      const key = checkKey(checks, input, idempotencyKey);
      const { domain, period } = input;
      const intent = {
        kind: 'REGISTER',
        domain,
        key,
        fingerprint: fingerprint('REGISTER', asked),
      } as const;
      const findEarlier = async () => (dryRun ? null : purchase.earlier(intent));
      const earlier = await findEarlier();
      if (earlier) return earlier;

      const request = checkRequest(checks, input);
      const [tld, availability] = await Promise.all([
        checkTld(checks, reads, domain, period),
        reads.availability.load(domain),
      ]);
      const price = tld ? priceOf(tld, availability, period) : null;
      if (isClear(checks, 'domain')) checkAvailability(checks, availability, input, price);
      const isPriced = isClear(checks, 'domain', 'period');
      if (isPriced) checkPrice(checks, price, input);
      const balanceAfter = await checkBalance(checks, reads, isPriced ? price : null);
      // What stands in the way now may be this very purchase, sent twice and done meanwhile.
      const meanwhile = checks.faults.length > 0 ? await findEarlier() : null;
      if (meanwhile) return meanwhile;
      checks.finish();
      if (!request || !price) throw new Fault('PRICE_UNAVAILABLE');
      if (dryRun) return { price, balanceAfter };
      const send = () => api.registerdomain(request, options);
      return { ...(await purchase.make({ ...intent, period, price, send })), balanceAfter };
    }),
});

function checkRequest(checks: Checks, input: RegisterInput) {
  const nameServers = checkNameServers(checks, input.nameServers);
  const registrant = contactToWire(checks, ['input', 'registrant'], input.registrant);
  const contact = input.contact
    ? contactToWire(checks, ['input', 'contact'], input.contact)
    : registrant;
  if (!registrant || !contact) return null;
  const { AddressLine2, ...registrantWire } = registrant;
  return {
    domain: input.domain,
    period: input.period,
    // A registrant has no second line on the wire, so it joins the first.
    registrant: {
      ...registrantWire,
      AddressLine1: [registrant.AddressLine1, AddressLine2].filter(Boolean).join(', '),
    },
    contact,
    nameservers: [...nameServers],
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

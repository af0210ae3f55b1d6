import { z } from 'zod';
import { addYears } from '../../kernel/instant.ts';
import { Decimal } from '../../kernel/money.ts';
import { authCode } from '../service/chance.ts';
import type { NewDomain } from '../service/domain-store.ts';
import { nextChange } from '../service/life-cycle.ts';
import { isBlockedPremium, isPremium, isReserved, premiumPrice } from '../service/world.ts';
import { write } from './action.ts';
import { isTaken } from './availability.ts';
import { contactInput, readContact } from './contacts.ts';
import { named, type Offer, readOffer } from './names.ts';
import { pay, priceOf } from './payment.ts';
import { Refusal } from './refusal.ts';
import { orderView } from './render.ts';
import { readHosts } from './settings.ts';

const mostYears = 10;

const registration = named.extend({
  period: z.int(),
  contact: contactInput,
  registrant: contactInput,
  nameservers: z.array(z.string()),
  privacyProtection: z.boolean().nullish(),
  eppLock: z.boolean().nullish(),
});

/** @throws Refusal 530 with the bounds of the TLD in the details, 540 beyond ten years. */
export function checkPeriod({ tld }: Offer, years: number): void {
  const { minperiod, maxperiod } = tld.entry;
  if (years > mostYears) {
    throw new Refusal(540, `Period must be between ${minperiod} and ${maxperiod} years.`);
  }
  if (years < minperiod || years > maxperiod) {
    throw new Refusal(530, `Period must be between ${minperiod} and ${maxperiod} years.`);
  }
}

/** The price goes, and the domain comes, in one transaction. The reply is not the truth: see `orderView`. */
export const registerDomain = write(registration, (request, context) => {
  const { service, reseller } = context;
  const { store, clock, randomness } = service;
  const offer = readOffer(request.domain);
  const { name, label, tld } = offer;
  if (tld.needsRegistrantData) throw new Refusal(330);
  if (isReserved(label, tld.isGeneric)) {
    throw new Refusal(2304, 'Object status prohibits operation; reserved name  ');
  }
  checkPeriod(offer, request.period);
  const hosts = readHosts(request.nameservers, { domain: name, tld, glue: [], absentCode: 2003 });
  const contact = readContact(request.contact);
  const registrant = readContact(request.registrant);
  const now = clock.now();
  const expiresAt = addYears(now, request.period).getTime();

  return store.transaction(() => {
    if (isTaken(service, offer)) throw new Refusal(2302);
    if (isBlockedPremium(label)) throw new Refusal(362);
    pay(context, offer, {
      kind: 'register',
      period: request.period,
      price: registrationPrice(offer, request.period),
    });
    const contactId = store.accounts.addContact(reseller.id, contact);
    const domain: NewDomain = {
      reseller: reseller.id,
      name,
      status: 'Active',
      registryStatus: null,
      authCode: authCode(randomness.fraction),
      locked: tld.canLock && (request.eppLock ?? true),
      privacy: request.privacyProtection ?? false,
      startAt: now.getTime(),
      heldSince: now.getTime(),
      expiresAt,
      nextAt: nextChange(name, 'Active', expiresAt),
      nameServers: hosts,
      glue: [],
      additional: {},
      registrant: store.accounts.addContact(reseller.id, registrant),
      administrative: contactId,
      billing: contactId,
      technical: contactId,
    };
    store.domains.add(domain);
    return { result: 'OK', data: orderView(domain, 'active') };
  });
});

/** A premium name costs its own price for every year. */
function registrationPrice({ tld, label, name }: Offer, years: number): Decimal | null {
  if (!isPremium(label)) return priceOf(tld, 'registration', years);
  return Decimal.parse(premiumPrice(name)).times(Decimal.parse(String(years)));
}

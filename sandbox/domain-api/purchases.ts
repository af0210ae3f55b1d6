import { dayMs } from '../../src/kernel/instant.ts';
import { Decimal } from '../../src/kernel/money.ts';
import { listedPrices, type PricedAction, type Tld } from '../service/catalogue.ts';
import { authCode, hash } from '../service/chance.ts';
import { registeredAs, transferDays, transferLockDays } from '../service/life-cycle.ts';
import {
  type ContactFields,
  type DomainRecord,
  type NewDomain,
  plainDomain,
} from '../service/store.ts';
import * as world from '../service/world.ts';
import { type Context, Refusal, write } from './action.ts';
import { isTaken } from './availability.ts';
import { contactInput, readContact } from './contacts.ts';
import { number, numberOr, optionalFlag, optionalText, texts } from './fields.ts';
import { type CatalogueOffer, named, readOffer } from './names.ts';
import { orderView } from './render.ts';
import { readHosts } from './settings.ts';

const maxYears = 10;

const registration = named.extend({
  period: number,
  contact: contactInput,
  registrant: contactInput,
  nameservers: texts,
  privacyProtection: optionalFlag,
  eppLock: optionalFlag,
});

/** @throws Refusal 530 with the bounds of the TLD in the details, 540 beyond ten years. */
function checkPeriod({ tld }: CatalogueOffer, years: number): void {
  const { minperiod, maxperiod } = tld.entry;
  if (years >= minperiod && years <= Math.min(maxperiod, maxYears)) return;
  throw new Refusal(
    years > maxYears ? 540 : 530,
    `Period must be between ${minperiod} and ${maxperiod} years.`,
  );
}

/** The price goes, and the domain comes, in one transaction. The reply is not the truth: see `orderView`. */
export const registerDomain = write(registration, (request, context) => {
  const { service, reseller } = context;
  const { store, clock, randomness } = service;
  const offer = readOffer(request.domain);
  const { name, label, tld } = offer;
  if (tld.needsRegistrantData) throw new Refusal(330);
  if (world.isReserved(label, tld.isGeneric)) {
    throw new Refusal(2304, 'Object status prohibits operation; reserved name  ');
  }
  checkPeriod(offer, request.period);
  const hosts = readHosts(request.nameservers, offer, [], 2003);
  const contact = readContact(request.contact);
  const registrant = readContact(request.registrant);
  const nowMs = clock.nowMs();

  return store.transaction(() => {
    if (isTaken(service, offer)) throw new Refusal(2302);
    if (world.isBlockedPremium(label)) throw new Refusal(362);
    pay(context, offer, 'register', request.period, registrationPrice(offer, request.period));
    const addContact = (fields: ContactFields) =>
      store.contacts.add({ reseller: reseller.id, fields });
    const domain: NewDomain = {
      ...plainDomain(addContact(contact)),
      registrant: addContact(registrant),
      reseller: reseller.id,
      name,
      ...registeredAs(offer, nowMs, request.period),
      authCode: authCode(randomness.fraction),
      locked: tld.canLock && (request.eppLock ?? true),
      privacy: request.privacyProtection ?? false,
      heldSince: nowMs,
      nameServers: hosts,
    };
    store.domains.add(domain);
    return {
      result: 'OK',
      data: orderView(domain, domain.status === 'Active' ? 'active' : domain.status),
    };
  });
});

/** A premium name costs its own price for every year. */
function registrationPrice({ tld, label, name }: CatalogueOffer, years: number): Decimal | null {
  if (!world.isPremium(label)) return priceOf(tld, 'registration', years);
  return Decimal.parse(world.premiumPrice(name)).times(decimal(years));
}

const transfer = named.extend({ authCode: optionalText, period: numberOr(1) });

/**
 * Starts a transfer, which ends after five days and adds one year for any `period`.
 *
 * @throws Refusal 580, 2002, 2300, 590, 2303 (wrong code, or the name is free), 592, 2304, 582, 2106, 350.
 */
export const transferDomain = write(transfer, (request, context) => {
  const { service, reseller } = context;
  const { store, clock } = service;
  const offer = readOffer(request.domain);
  const { name, tld } = offer;
  if (!tld.canTransfer) throw new Refusal(580);
  const holder = store.domains.holder(name);
  const own = store.domains.find(reseller.id, name);
  if (own?.status === 'WaitingForIncomingTransfer') throw new Refusal(2300);
  if (holder?.reseller === reseller.id) throw new Refusal(2002);
  if (!request.authCode) throw new Refusal(590);
  checkPeriod(offer, request.period);
  const nowMs = clock.nowMs();
  const origin = holder
    ? leaveOther(holder, request.authCode, nowMs)
    : leaveOutside(offer, request.authCode, nowMs, store.domains.isKnown(name));

  return store.transaction(() => {
    pay(context, offer, 'transfer', request.period, priceOf(tld, 'transfer', request.period));
    if (holder)
      store.domains.save({ ...holder, status: 'WaitingForOutgoingTransfer', nextAt: null });
    const domain = {
      ...plainDomain(store.contacts.find({ reseller: reseller.id })?.id ?? 0),
      ...origin,
      reseller: reseller.id,
      name,
      status: 'WaitingForIncomingTransfer',
      heldSince: nowMs,
      nextAt: nowMs + transferDays * dayMs,
    };
    store.domains.add(domain);
    // Half of the names answer with the domain, the others with the bare word: both forms are seen.
    return hash(name) % 2 === 0
      ? { result: 'OK', data: orderView(domain, domain.status) }
      : { result: 'OK' };
  });
});

/** As captured from a refused transfer. */
const capturedDetails = 'There are no additional details  ';

const transferStates = ['WaitingForOutgoingTransfer', 'WaitingForIncomingTransfer'];

type Origin = Pick<NewDomain, 'startAt' | 'expiresAt' | 'nameServers' | 'authCode'>;

function leaveOther(holder: DomainRecord, code: string, nowMs: number): Origin {
  if (transferStates.includes(holder.status)) throw new Refusal(582);
  if (holder.locked)
    throw new Refusal(2304, 'Object status prohibits operation; clientTransferProhibited  ');
  if (holder.authCode !== code) throw new Refusal(2303, capturedDetails);
  if (nowMs - holder.heldSince < transferLockDays * dayMs) throw new Refusal(2106);
  if (holder.status.startsWith('Pending')) throw new Refusal(2304);
  const { startAt, expiresAt, nameServers, authCode } = holder;
  return { startAt, expiresAt, nameServers, authCode };
}

/** A name of the outside world was registered two years ago and ends in 200 days. */
function leaveOutside(
  { label }: CatalogueOffer,
  code: string,
  nowMs: number,
  isKnown: boolean,
): Origin {
  const kind = world.outsideKind(label);
  if (kind === null && !isKnown) throw new Refusal(2303);
  if (kind === 'locked') throw new Refusal(592);
  if (code !== world.outsideTransferCode) throw new Refusal(2303, capturedDetails);
  if (kind === 'fresh') throw new Refusal(2106);
  return {
    startAt: nowMs - 530 * dayMs,
    expiresAt: nowMs + 200 * dayMs,
    nameServers: ['ns1.outside-dns.net', 'ns2.outside-dns.net'],
    authCode: world.outsideTransferCode,
  };
}

/**
 * The price of some years. A listed period costs its listed price. Any other costs the shortest listed period and renewals
 * for the other years, or, under a TLD that multiplies, a multiple of that period.
 *
 * `null` when the listed prices do not add up to the years.
 */
export function priceOf(tld: Tld, action: PricedAction | 'renew', years: number): Decimal | null {
  const prices = listedPrices(tld, action);
  const listed = prices.get(years);
  const [first] = prices;
  if (listed || !first) return listed ?? null;
  const [period, price] = first;
  if (action === 'renew' || tld.multipliesFirstPeriod) {
    const times = years / period;
    return Number.isInteger(times) && times > 0 ? price.times(decimal(times)) : null;
  }
  const renewals = priceOf(tld, 'renew', years - period);
  return renewals && price.plus(renewals);
}

const decimal = (whole: number): Decimal => Decimal.parse(String(whole));

/**
 * Takes the price from the balance in the TLD's currency and writes the ledger. Call it inside a transaction.
 *
 * @throws Refusal 340 without a price, 350 when the balance does not cover it.
 */
function pay(
  { service, reseller }: Context,
  { name, tld }: CatalogueOffer,
  kind: 'register' | 'transfer',
  period: number,
  price: Decimal | null,
): void {
  const { money } = service.store;
  const { currency } = tld;
  if (!price) throw new Refusal(340);
  const balance = money.balance(reseller.id, currency) ?? Decimal.zero;
  if (balance.compare(price) < 0) {
    throw new Refusal(350, `Balance ${balance} ${currency}; required ${price} ${currency}.`);
  }
  const at = service.clock.now().toISOString();
  money.book({
    reseller: reseller.id,
    kind,
    domain: name,
    period,
    price: price.toString(),
    currency,
    at,
  });
}

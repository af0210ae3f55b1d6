import { z } from 'zod';
import { listPrice, type Tld } from '../service/catalogue.ts';
import { type FaultName, faultOfName, promptText } from '../service/faults.ts';
import type { Service } from '../service/service.ts';
import { isPremium, isReserved, outsideKind, premiumPrice } from '../service/world.ts';
import { type Action, type Context, errorBody, Refusal, read, readRequest } from './action.ts';
import { texts } from './fields.ts';
import { type CatalogueOffer, named, readChecked } from './names.ts';

/** Whether the name is registered, in an account here or elsewhere. */
export const isTaken = ({ store }: Service, { name, label }: CatalogueOffer): boolean =>
  store.domains.isKnown(name) || outsideKind(label) !== null;

export const singleCheckAvailability = read(named, ({ domain }, context) => [
  entry(context, readChecked(domain)),
]);

const checked = z.object({ domains: texts });

/** The entries by name. An entry that is undefined is left out. */
const replyOf = (domains: readonly string[], entryOf: (domain: string) => unknown) => ({
  status: 'success',
  availability: Object.fromEntries(
    domains
      .map((domain) => [domain, entryOf(domain)] as const)
      .filter(([, one]) => one !== undefined),
  ),
});

/**
 * Checks name after name. A name that cannot be checked spoils its own entry only, in one of the captured forms. A wrong login
 * fails each name.
 */
export const bulkCheckAvailability: Action = {
  ...read(checked, ({ domains }, context) =>
    replyOf(domains, (domain) => bulkEntry(context, domain)),
  ),
  refuse: (body, refusal) =>
    replyOf(readRequest(checked, body).domains, () => failedEntry(refusal)),
};

function entry({ service }: Context, offer: CatalogueOffer) {
  const { label, tld, name } = offer;
  const reserved = isReserved(label, tld.isGeneric);
  const taken = !reserved && isTaken(service, offer);
  const premium = isPremium(label);
  return {
    TLD: tld.tld,
    DomainName: label,
    Status: reserved || taken ? 'notavailable' : 'available',
    Command: 'create',
    Period: 1,
    IsFee: premium,
    Price: priceShown(tld, premium, name),
    Currency: tld.currency,
    Reason: taken ? 'Domain exists' : reserved ? 'Domain reserved' : null,
  };
}

const failedEntry = (refusal: Refusal) => ({ result: 'ERROR', error: errorBody(refusal) });

const priceShown = (tld: Tld, premium: boolean, name: string) =>
  (premium ? premiumPrice(name) : listPrice(tld, 'registration')) ?? '';

/** How a name with a fault spoils its entry; `undefined` leaves the entry out. */
const spoiled: Readonly<Partial<Record<FaultName, (good: object) => unknown>>> = {
  gateway: () => ({ status: 'error', message: '502 Bad Gateway' }),
  busy: () => failedEntry(new Refusal(361, 'Too many requests.')),
  empty: () => undefined,
  maps: () => [],
  prompt: (good) => [{ ...good, Reason: promptText }],
  wrongtypes: (good) => [
    { ...good, Status: 7, Price: { amount: 1 }, IsFee: 'maybe', Period: 'one' },
  ],
};

function bulkEntry(context: Context, domain: string): unknown {
  try {
    const good = entry(context, readChecked(domain));
    const fault = faultOfName(domain);
    const spoil = fault ? spoiled[fault] : undefined;
    return spoil ? spoil(good) : [good];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 400) return { status: 'error', message: error.details };
    if (error.code === 570) return [];
    return failedEntry(error);
  }
}

import { z } from 'zod';
import { type DomainName, domainNameOrFault, splitAtTld } from '../../src/kernel/domain-name.ts';
import { Fault } from '../../src/kernel/faults.ts';
import { findTld, isTld } from '../service/catalogue.ts';
import type { DomainRecord } from '../service/store.ts';
import { type Context, Refusal } from './action.ts';
import { text } from './fields.ts';

/** A request about one name. */
export const named = z.object({ domain: text });

/** @throws Refusal 2005 with the rule that the text breaks. */
export function readName(given: string): DomainName {
  const name = domainNameOrFault(given);
  if (!(name instanceof Fault)) return name;
  throw new Refusal(2005, `Parameter value syntax error; ${name.message}  `);
}

/** A name that a TLD of the catalogue sells. */
export type CatalogueOffer = ReturnType<typeof readOffer>;

/** @throws Refusal 2005 a bad name, 320 no such TLD, 310 a TLD that is not sold, 550 label length, 570 no IDN. */
export function readOffer(given: string) {
  const name = readName(given);
  const parts = splitAtTld(name, isTld);
  const tld = findTld(parts?.tld ?? '');
  if (!parts || !tld) throw new Refusal(320);
  const { label } = parts;
  if (isTld(name)) throw new Refusal(2304, 'Object status prohibits operation; reserved name  ');
  if (label.includes('.')) {
    throw new Refusal(
      2005,
      `Parameter value syntax error; one label above .${tld.tld} is allowed  `,
    );
  }
  const { status, minchar, maxchar } = tld.entry;
  if (status !== 'Active') throw new Refusal(310);
  if (label.length < minchar || label.length > maxchar) {
    throw new Refusal(550, `Domain length must be between ${minchar} and ${maxchar} characters.`);
  }
  if (label.startsWith('xn--') && !tld.allowsIdn) throw new Refusal(570);
  return { name, label, tld };
}

/** ASCII, and only letters in the TLD: names under internationalised TLDs do not match. */
const checkable = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;

/** A name of an availability check. @throws Refusal 400 for a name that the service cannot parse, and as `readOffer`. */
export function readChecked(given: string): CatalogueOffer {
  if (!checkable.test(given)) throw Refusal.invalid('Invalid domain format.');
  return readOffer(given);
}

/** The account's record of the name. @throws Refusal 510 when it has none, 2005 for a bad name. */
export function ownDomain({ service, reseller }: Context, given: string): DomainRecord {
  const record = service.store.domains.find(reseller.id, readName(given));
  if (!record) throw new Refusal(510);
  return record;
}

const frozenStates = new Set(
  `PendingDelete PendingRestore Deleted TransferredOut WaitingForIncomingTransfer WaitingForOutgoingTransfer
TransferRejectedFromOpposed TransferCancelledFromClient WaitingForRegistration PreRegistiration PreRegistirationFail`.split(
    /\s+/,
  ),
);
const frozenByRegistry = /^(?:(?:client|server)UpdateProhibited|pending|redemptionPeriod)/;

/** The account's record, if it can be changed now. @throws Refusal 2304 when its state forbids that, 510, 2005. */
export function changeableDomain(context: Context, given: string): DomainRecord {
  const record = ownDomain(context, given);
  const byRegistry = record.registryStatus ?? '';
  if (frozenStates.has(record.status) || frozenByRegistry.test(byRegistry)) {
    const status = frozenByRegistry.test(byRegistry) ? byRegistry : record.status;
    throw new Refusal(2304, `Object status prohibits operation; ${status}  `);
  }
  return record;
}

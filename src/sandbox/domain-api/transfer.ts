import { z } from 'zod';
import { dayMs } from '../../kernel/instant.ts';
import { hash } from '../service/chance.ts';
import type { DomainRecord, NewDomain } from '../service/domain-store.ts';
import { transferDays, transferLockDays } from '../service/life-cycle.ts';
import { outsideKind, outsideTransferCode } from '../service/world.ts';
import { type Context, write } from './action.ts';
import { named, type Offer, readOffer } from './names.ts';
import { pay, priceOf } from './payment.ts';
import { Refusal } from './refusal.ts';
import { checkPeriod } from './register.ts';
import { orderView } from './render.ts';

const transfer = named.extend({ authCode: z.string().nullish(), period: z.int() });

const noDetails = 'There are no additional details  ';

/**
 * Starts a transfer, which ends after five days and adds one year for any `period`.
 *
 * @throws Refusal 580, 2002, 2300, 590, 2303 (wrong code, or the name is free), 592, 2304, 582, 2106, 350.
 */
export const transferDomain = write(transfer, (request, context) => {
  const { service, reseller } = context;
  const { store } = service;
  const offer = readOffer(request.domain);
  const { name, tld } = offer;
  if (!tld.canTransfer) throw new Refusal(580);
  const holder = store.domains.holder(name);
  const own = store.domains.find(reseller.id, name);
  if (own?.status === 'WaitingForIncomingTransfer') throw new Refusal(2300);
  if (holder?.reseller === reseller.id) throw new Refusal(2002);
  if (!request.authCode) throw new Refusal(590);
  checkPeriod(offer, request.period);
  const origin = holder
    ? leaveOther(holder, request.authCode, service.clock.nowMs())
    : leaveOutside(context, offer, request.authCode);

  return store.transaction(() => {
    const { period } = request;
    pay(context, offer, { kind: 'transfer', period, price: priceOf(tld, 'transfer', period) });
    if (holder)
      store.domains.save({ ...holder, status: 'WaitingForOutgoingTransfer', nextAt: null });
    const domain = arriving(context, offer, origin);
    store.domains.add(domain);
    // Half of the names answer with the domain, the others with the bare word: both forms are seen.
    return hash(name) % 2 === 0
      ? { result: 'OK', data: orderView(domain, domain.status) }
      : { result: 'OK' };
  });
});

type Origin = Pick<NewDomain, 'startAt' | 'expiresAt' | 'nameServers' | 'authCode'>;

function leaveOther(holder: DomainRecord, code: string, nowMs: number): Origin {
  if (holder.status === 'WaitingForOutgoingTransfer') throw new Refusal(582);
  if (holder.status === 'WaitingForIncomingTransfer') throw new Refusal(582);
  if (holder.locked)
    throw new Refusal(2304, 'Object status prohibits operation; clientTransferProhibited  ');
  if (holder.authCode !== code) throw new Refusal(2303, noDetails);
  if (nowMs - holder.heldSince < transferLockDays * dayMs) throw new Refusal(2106);
  if (holder.status.startsWith('Pending')) throw new Refusal(2304);
  return holder;
}

/** A name of the outside world was registered two years ago and ends in 200 days. */
function leaveOutside({ service }: Context, { name, label }: Offer, code: string): Origin {
  const kind = outsideKind(label);
  if (kind === null && !service.store.domains.isKnown(name)) throw new Refusal(2303);
  if (kind === 'locked') throw new Refusal(592);
  if (code !== outsideTransferCode) throw new Refusal(2303, noDetails);
  if (kind === 'fresh') throw new Refusal(2106);
  const nowMs = service.clock.nowMs();
  return {
    startAt: nowMs - 530 * dayMs,
    expiresAt: nowMs + 200 * dayMs,
    nameServers: ['ns1.outside-dns.net', 'ns2.outside-dns.net'],
    authCode: outsideTransferCode,
  };
}

function arriving({ service, reseller }: Context, { name }: Offer, origin: Origin): NewDomain {
  const nowMs = service.clock.nowMs();
  const contact = service.store.accounts.defaultContact(reseller.id);
  return {
    ...origin,
    reseller: reseller.id,
    name,
    status: 'WaitingForIncomingTransfer',
    registryStatus: null,
    locked: false,
    privacy: false,
    heldSince: nowMs,
    nextAt: nowMs + transferDays * dayMs,
    glue: [],
    additional: {},
    registrant: contact,
    administrative: contact,
    billing: contact,
    technical: contact,
  };
}

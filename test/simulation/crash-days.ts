import { type ApprovalRule, createApprovalRules } from '../../src/features/approval/rules.ts';
import type { ApprovalWeather } from './approval-weather.ts';
import type { Buyer } from './buyers.ts';
import { noChanges } from './change-weather.ts';
import type { EndpointRoad } from './endpoint.ts';
import type { WriteRoad } from './network.ts';
import type { OrderBuyer } from './order-buyers.ts';
import { noOrders } from './order-weather.ts';
import { planPortfolio } from './portfolio-weather.ts';
import { createRandom } from './random.ts';
import { noPauses, planWeather, type Weather } from './weather.ts';

/** What the registrar does with a call that changes something. */
export const registrars = [
  'ok',
  'lostAnswer',
  'reset',
  'late',
  'definiteRefusal',
  'unlistedBefore',
  'unlistedAfter',
] as const satisfies readonly WriteRoad[];

export type Registrar = (typeof registrars)[number];

/** Weather without faults. With two replicas a second client sends the request of the first one again. */
export type Day = (registrar: Registrar, replicas: number) => Weather;

const fairDay: Day = (registrar, replicas) => ({
  ...planWeather(createRandom(1)),
  replicas,
  buyers: [],
  looks: [],
  orders: noOrders,
  changes: noChanges,
  portfolio: null,
  limits: { GATEWAY: {}, KEY: {} },
  outside: ['outside-1.net'],
  takenByOthers: [],
  boughtByHand: [],
  oddEntries: 0,
  roads: {
    writes: { [registrar]: 1 },
    settings: { [registrar]: 1 },
    reads: { ok: 1 },
    checks: { ok: 1 },
  },
  calmAfterMs: Number.MAX_SAFE_INTEGER,
  crashes: 0,
  crashChance: 0,
  pauses: noPauses,
  journalMs: 10,
  journalFailChance: 0,
  journalOutages: [],
  skewMs: 0,
  clockJumps: [],
});

const clients = (replicas: number) => Array.from({ length: replicas }, (_, at) => at);

const buys =
  (changes: Partial<Buyer>, weather: Partial<Weather> = {}): Day =>
  (registrar, replicas) => ({
    ...fairDay(registrar, replicas),
    ...weather,
    buyers: clients(replicas).map((startsAfterMs) => ({
      kind: 'REGISTRATION',
      domain: 'free-0.com',
      period: 1,
      key: 'the-key',
      maxPrice: null,
      caller: null,
      startsAfterMs,
      hangsUpAfterMs: null,
      ...changes,
    })),
  });

const orders =
  (changes: Partial<OrderBuyer>, weather: Partial<Weather> = {}): Day =>
  (registrar, replicas) => ({
    ...fairDay(registrar, replicas),
    ...weather,
    orders: {
      buyers: clients(replicas).map((startsAfterMs) => ({
        key: 'the-order',
        caller: null,
        lines: [0, 1, 2].map((at) => ({
          kind: 'REGISTRATION',
          domain: `line-${at}.com`,
          period: 1,
        })),
        onFailure: 'CONTINUE',
        maxTotal: '40.0000',
        startsAfterMs,
        hangsUpAfterMs: null,
        follows: startsAfterMs === 0,
        cancelsAfterMs: null,
        ...changes,
      })),
      together: 1,
      leaseMs: 6_000,
    },
  });

/** A job that changes two domains, of which another party changes one several times. */
const changes =
  (weather: Partial<Weather> = {}): Day =>
  (registrar, replicas) => ({
    ...fairDay(registrar, replicas),
    ...weather,
    changes: {
      operators: clients(replicas).map((startsAfterMs) => ({
        key: 'the-job',
        names: ['owned-0.com', 'owned-1.com'],
        change: { setNameServers: ['ns1.new.net', 'ns2.new.net'] },
        startsAfterMs,
        follows: false,
        cancelsAfterMs: startsAfterMs === 0 ? null : 1_000,
        retries: 1,
      })),
      owned: ['owned-0.com', 'owned-1.com'],
      byHand: Array.from({ length: 10 }, (_, at) => ({
        atMs: at * 2_000,
        domain: 'owned-0.com',
        settings: { nameServers: [`ns${at}.by-hand.net`] },
      })),
      together: 1,
      leaseMs: 6_000,
    },
  });

/** What the operations need is an approval, which another person gives, or not. */
function approvals(
  rejects: number | null,
  operations: ApprovalRule['operations'] = ['REGISTRATION', 'TRANSFER', 'BULK_CHANGE'],
): ApprovalWeather {
  const rule = { position: 1, operations, when: {}, expiresAfterMs: 60_000 };
  const rules = createApprovalRules([rule], []);
  const decider = { caller: 'chief', startsAfterMs: 2_000, everyMs: 5_000 };
  return {
    ...{ rules, laterRules: rules, changesAtMs: Infinity, above: 0 },
    deciders: rejects === null ? [] : [{ ...decider, rejects }],
    pollEveryMs: 1_000,
    priceRises: { atMs: Infinity, factor: 1 },
    clockErrorMs: 0,
  };
}

const endpointRoads: Readonly<Record<Registrar, EndpointRoad>> = {
  ok: 'ok',
  lostAnswer: 'lostAnswer',
  reset: 'swallowed',
  late: 'lostAnswer',
  definiteRefusal: 'definiteRefusal',
  unlistedBefore: 'definiteRefusal',
  unlistedAfter: 'lostAnswer',
};

/** Some minutes of an account whose domains change, with a client that writes and a webhook. */
const events = ((registrar, replicas) => {
  const planned = planPortfolio(createRandom(5), true);
  const minute = 60_000;
  return {
    ...buys({ startsAfterMs: minute, key: 'the-key' })(registrar, 1),
    replicas,
    endpoint: endpointRoads[registrar],
    reconcileEveryMs: 20_000,
    calmAfterMs: 4 * minute,
    calmRoads: { writes: { ok: 1 }, settings: { ok: 1 }, reads: { ok: 1 }, checks: { ok: 1 } },
    portfolio: {
      ...planned,
      ...{ calmAfterMs: 4 * minute, endsAtMs: 8 * minute, foundIfListedAfterMs: 5 * minute },
      ...{ everyMs: minute, clockErrorMs: 0, maxPauseMs: 0, maxDowntimeMs: 20_000 },
      ...{ upstreamOutages: [], journalOutages: [], losesJournal: false, recordsWrites: false },
      ...{ lists: { ok: 1 }, details: { ok: 1 }, listStaleMs: 0, readsPerMinute: 30 },
      list: { ...planned.list, oddRows: 0 },
      byHand: planned.owned.slice(0, 2).map(({ domain }, at) => ({
        ...{ domain, atMs: (2 + at) * minute },
        change: { nameServers: [`ns${at}.by-hand.net`] },
      })),
      // The list no longer shows a domain that has left, and a read does not find it.
      moves: planned.owned.slice(2, 3).map(({ domain }) => ({
        ...{ domain, atMs: 1.5 * minute, holding: null },
      })),
      writes: planned.owned.slice(0, 2).map(({ domain }, at) => ({
        ...{ domain, atMs: (1.5 + at) * minute, caller: 'shop' },
        write: at === 0 ? { nameServers: ['ns1.by-gateway.net'] } : { privacyProtected: true },
      })),
      imports: [{ atMs: 1.2 * minute, names: ['absent-0.com'] }],
      views: [minute],
      readers: 1,
    },
  };
}) satisfies Day;

/** A client requests an unlock until it is sent. */
const unlock: Day = (registrar, replicas) => {
  const day = events(registrar, replicas);
  const [first] = day.portfolio.owned;
  const domain = first?.domain ?? '';
  const minute = 60_000;
  return {
    ...day,
    buyers: [],
    approvals: approvals(0, ['UNLOCK']),
    portfolio: {
      ...day.portfolio,
      owned: day.portfolio.owned.map((one) => ({
        ...one,
        holding: { ...one.holding, transferLocked: true },
      })),
      ...{ byHand: [], moves: [], imports: [], views: [] },
      writes: [0.2, 0.7, 1.2, 1.7, 2.2, 2.7].map((at) => ({
        ...{ domain, atMs: at * minute, caller: 'shop' },
        write: { transferLocked: false },
      })),
    },
  };
};

const decided = (rejects: number | null) => ({ approvals: approvals(rejects) });
const transfer = { kind: 'TRANSFER', domain: 'outside-1.net' } as const;
const byShop = { caller: 'shop' };

/** A cashier reports the amount some seconds after the placement, and the refunds that are due. */
const paid = (cashiers: number, expiresAfter: string): Partial<Weather> => ({
  payments: {
    cashiers: Array.from({ length: cashiers }, () => ({
      ...{ startsAfterMs: 5_000, everyMs: 10_000, wrong: 0.2, refunds: 0.4 },
    })),
    ...{ pollEveryMs: 5_000, expiresAfter },
  },
});
const paidOrder = { expiresAfter: 'PT5M', cancelsAfterMs: null } as const;

/** The flows of the product, by what a client requests. */
export const days: Readonly<Record<string, Day>> = {
  'a registration': buys({}),
  'a transfer': buys(transfer),
  'an order': orders({ follows: true }),
  'an order that stops': orders({ onFailure: 'STOP' }),
  'an order that is cancelled': orders({ cancelsAfterMs: 1_000 }),
  'a bulk change': changes(),
  'an approved purchase': buys(byShop, decided(0)),
  'a rejected purchase': buys(byShop, decided(1)),
  'a purchase without a decision': buys(byShop, decided(null)),
  'a waiting purchase that is cancelled': buys({ ...byShop, cancelsAfterMs: 500 }, decided(0)),
  'an approved order': orders(byShop, decided(0)),
  'an approved bulk change': changes(decided(0)),
  'an approved unlock': unlock,
  'events and their webhook': events,
  'a paid order': orders(paidOrder, paid(1, 'PT5M')),
  'an order that is not paid': orders(paidOrder, paid(0, 'PT5M')),
  'a paid order after its approval': orders(
    { ...byShop, ...paidOrder },
    { ...decided(0), ...paid(1, 'PT5M') },
  ),
};

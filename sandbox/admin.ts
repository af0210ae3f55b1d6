import { z } from 'zod';
import { parseDomainName } from '../src/kernel/domain-name.ts';
import { Fault, invalidInput, parseDecimal } from '../src/kernel/faults.ts';
import { dayMs, parseInstant } from '../src/kernel/instant.ts';
import { armedFault } from './service/faults.ts';
import { parseObject, type Reply } from './service/http.ts';
import { latency } from './service/latency.ts';
import { endOfNew, newStates } from './service/life-cycle.ts';
import { seededDomain } from './service/seed.ts';
import type { Service } from './service/service.ts';
import type { Reseller, Store } from './service/store.ts';

interface AdminRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly type: string;
  readonly body: string | null;
}

type Answer = (
  service: Service,
  request: { readonly query: URLSearchParams; readonly body: Readonly<Record<string, unknown>> },
) => unknown;

const clockMove = z.union([
  z.object({ now: z.string() }),
  z.object({ advanceMs: z.int() }),
  z.object({ advanceDays: z.number() }),
]);

const newDomain = z.object({
  name: z.string(),
  reseller: z.string().default('demo'),
  state: z.enum(Object.keys(newStates) as (keyof typeof newStates)[]).default('active'),
  /** These replace what the state says. */
  status: z.string().exactOptional(),
  registryStatus: z.string().exactOptional(),
  expiresInDays: z.number().exactOptional(),
  ageInDays: z.number().exactOptional(),
  locked: z.boolean().exactOptional(),
  privacy: z.boolean().exactOptional(),
  nameServers: z.array(z.string()).exactOptional(),
});

const newBalance = z.object({
  reseller: z.string().default('demo'),
  currency: z.string(),
  balance: z.string(),
});

const timeOf = ({ clock }: Service) => ({ now: clock.now().toISOString() });

const clockNote = ({ gateway }: Service): string =>
  gateway
    ? 'The gateway in this process has the same time.'
    : 'The sandbox runs alone: a gateway in another process does not have this time, and derives EXPIRED from its own.';

function resetNote({ gateway }: Service): string {
  if (!gateway)
    return 'The sandbox runs alone: a gateway still has its purchases, events and caches. Start it with an empty DATA_DIR.';
  return gateway.isResettable
    ? 'The stored data and the caches of the gateway in this process were deleted.'
    : 'The journal of the gateway is in PostgreSQL and was not deleted: its purchases, events and cached replies remain.';
}

/** @throws Fault `INVALID_INPUT` */
function resellerOf({ resellers }: Store, username: string): Reseller {
  const reseller = resellers.find({ username });
  if (!reseller) throw invalidInput('There is no such reseller.');
  return reseller;
}

/**
 * Every admin call, for tests and demos. Bodies and answers are JSON.
 *
 * No call here counts as one of the service's own.
 */
export const adminCalls: Readonly<Record<string, Answer>> = {
  'GET /admin/calls': ({ calls }) => calls.list(),
  'DELETE /admin/calls': ({ calls }) => calls.clear(),
  'GET /admin/faults': ({ faults }) => faults.list(),
  'POST /admin/faults': ({ faults }, { body }) => faults.arm(armedFault.parse(body)),
  'DELETE /admin/faults': ({ faults }) => faults.clear(),
  'POST /admin/release': ({ holdings }) => ({ released: holdings.release() }),
  'GET /admin/held': ({ holdings }) => ({ held: holdings.count() }),
  'GET /admin/clock': timeOf,
  'POST /admin/clock': (service, { body }) => {
    const { clock } = service;
    const move = clockMove.parse(body);
    if ('now' in move) clock.set(parseInstant(move.now));
    else clock.advance('advanceMs' in move ? move.advanceMs : move.advanceDays * dayMs);
    return { ...timeOf(service), gateway: clockNote(service) };
  },
  'GET /admin/latency': (service) => service.latency,
  'POST /admin/latency': (service, { body }) => Object.assign(service.latency, latency.parse(body)),
  'POST /admin/reset': async (service) => {
    await service.reset();
    return { gateway: resetNote(service) };
  },
  'POST /admin/tokens': ({ store, randomness }, { body }) => {
    const { user } = z.object({ user: z.string() }).parse(body);
    if (!store.resellers.find({ username: user })) throw invalidInput('There is no such user.');
    const token = `token_${randomness.uuid()}`;
    store.transaction(() => {
      store.tokens.remove({ user });
      store.tokens.save({ id: token, user });
    });
    return { token };
  },
  'GET /admin/state': (service, { query }) => {
    const { money, domains } = service.store;
    const { id, username } = resellerOf(service.store, query.get('reseller') ?? 'demo');
    service.settle();
    return {
      reseller: username,
      balances: money.balances(id),
      domains: domains.count(id),
      purchases: money.purchases(id),
    };
  },
  'POST /admin/balances': ({ store }, { body }) => {
    const { reseller: username, currency, balance } = newBalance.parse(body);
    const { id } = resellerOf(store, username);
    store.money.setBalance(id, currency, parseDecimal(balance));
    return { balances: store.money.balances(id) };
  },
  'GET /admin/domain': (service, { query }) => {
    service.settle();
    return service.store.domains.everywhere(parseDomainName(query.get('name') ?? ''));
  },
  'POST /admin/domains': ({ store, clock }, { body }) => {
    const { name, reseller: username, state, ...changes } = newDomain.parse(body);
    const { id } = resellerOf(store, username);
    const trait = { ...newStates[state], ...changes };
    const contacts = store.contacts.list({ reseller: id }).map((contact) => contact.id);
    const parsed = parseDomainName(name);
    const domain = seededDomain([parsed, trait], id, contacts, clock.nowMs());
    const { status, expiresAt } = domain;
    store.transaction(() =>
      store.domains.add({
        ...domain,
        nextAt: domain.nextAt ?? endOfNew(parsed, status, expiresAt, clock.nowMs()),
      }),
    );
    return store.domains.find(id, parsed);
  },
  'GET /admin/carts': ({ store }) => store.carts.list(),
  'GET /admin/hosting-groups': ({ store }) => store.groups.list(),
  'GET /admin/logs': ({ store }) => store.logs.list(),
};

/** Responds to an admin request; an invalid one is 400 with one sentence. */
export async function answerAdmin(service: Service, request: AdminRequest): Promise<Reply> {
  const { method, path, query, type, body: text } = request;
  const action = `${method} ${path}`;
  const call = Object.hasOwn(adminCalls, action) ? adminCalls[action] : undefined;
  if (!call) {
    const known = Object.keys(adminCalls).join(', ');
    return { status: 404, body: { message: `There is no such admin call. There are: ${known}.` } };
  }
  // A foreign web page can't send this type without asking first, and is never allowed to.
  if (method === 'POST' && !type.toLowerCase().startsWith('application/json')) {
    return { status: 415, body: { message: 'Send application/json.' } };
  }
  if (text === null) return { status: 413, body: { message: 'The body is too long.' } };
  const body = parseObject(text || '{}');
  if (!body) return { status: 400, body: { message: 'The body is no JSON object.' } };
  try {
    return { status: 200, body: (await call(service, { query, body })) ?? {} };
  } catch (error) {
    if (error instanceof z.ZodError)
      return { status: 400, body: { message: z.prettifyError(error) } };
    if (error instanceof Fault) return { status: 400, body: { message: error.message } };
    throw error;
  }
}

import { eventStore } from '../../src/features/event/stores.ts';
import { Deliveries } from '../../src/features/webhook/deliveries.ts';
import { createSender } from '../../src/features/webhook/sender.ts';
import { webhookStore } from '../../src/features/webhook/store.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { Tenant } from '../../src/scope/tenant.ts';
import { plainQuotes } from '../support/plain-quotes.ts';
import type { Process, RunContext } from './process.ts';
import type { SharedStore } from './store.ts';
import type { World } from './world.ts';

/** What happens to the first request with an event; those after it are answered. */
export type EndpointRoad = 'ok' | 'lostAnswer' | 'swallowed' | 'definiteRefusal';

/** The endpoint of the one webhook of a run, with the events that it has accepted. */
export interface Endpoint {
  /** What happens to a request. */
  readonly roadOf: (id: string) => EndpointRoad;
  readonly accept: (id: string) => void;
  /** Checks that no event is missing. */
  readonly close: () => void;
}

export function createEndpoint(world: World, store: SharedStore, road: EndpointRoad): Endpoint {
  const accepted = new Set<string>();
  const met = new Set<string>();
  const stored = () => store.rows('select id from events order by position').map(({ id }) => id);
  return {
    roadOf(id) {
      if (met.has(id)) return 'ok';
      met.add(id);
      return road;
    },
    accept(id) {
      const next = stored().find((one) => !accepted.has(String(one)));
      // An event that is sent again is an earlier one.
      if (!accepted.has(id) && next !== id) world.violate('W3', `${id} is out of order`);
      accepted.add(id);
    },
    close() {
      for (const id of stored()) {
        if (!accepted.has(String(id))) world.violate('W2', `${id} was never accepted`);
      }
    },
  };
}

const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
const hook = {
  ...{ id: 'hook', url: 'https://hook.example/', description: null, types: [] },
  ...{ format: 'STANDARD', chatId: null },
};
const soonMs = 200;

/** Starts the deliveries of a process to the endpoint. */
export function startDeliveries(
  { facts, store }: Pick<Tenant, 'facts' | 'store'>,
  process: Process,
  { world, endpoint, history }: RunContext,
): void {
  if (!endpoint) return;
  const sender = createSender({
    ...facts,
    configured: new Map([[hook.id, [new Secret(secret)]]]),
    ...{ userAgent: 'simulated', formats: [] },
    onAttempt: () => undefined,
    outbound: {
      async post({ headers }) {
        const step = { what: 'call webhook', point: 'send webhook' };
        const id = headers['webhook-id'] ?? '';
        await process.outside({ ...step, side: 'before' });
        const road = endpoint.roadOf(id);
        const arrives = road === 'ok' || road === 'lostAnswer';
        if (arrives) world.after(soonMs / 2, null, () => endpoint.accept(id));
        await process.outside({ ...step, side: 'after' });
        await world.pass(soonMs, process.owner);
        await process.outside({ ...step, side: 'reply' });
        if (road === 'definiteRefusal') return { status: 400, retryAfter: undefined, body: '' };
        return road === 'ok'
          ? { status: 200, retryAfter: undefined, body: '' }
          : { failure: 'The connection failed.' };
      },
    },
  });
  new Deliveries({
    ...facts,
    ...{ sender, timeoutMs: 15_000, quotes: plainQuotes, configured: [hook] },
    store: store(webhookStore),
    events: store(eventStore),
    onSuspended: () => undefined,
    onMissed: () => undefined,
    onError: (error) => history.failed(error),
  });
}

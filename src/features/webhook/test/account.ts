import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { account } from '../../../../test/persistence/claims.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import type { OnCall } from '../../../../test/support/modules/fates.ts';
import { plainQuotes } from '../../../../test/support/plain-quotes.ts';
import { createSimulatedClock } from '../../../../test/support/simulated-clock.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { EventType, NewEvent } from '../../event/log.ts';
import { Publisher } from '../../event/publisher.ts';
import { openEventJournal } from '../../event/test/journal.ts';
import { eventNumber } from '../../event/test/new-events.ts';
import { Deliveries } from '../deliveries.ts';
import { type ChatFormat, standard } from '../format.ts';
import type { OutboundRequest } from '../outbound.ts';
import { createSender } from '../sender.ts';
import {
  type ConfiguredWebhook,
  createWebhookStore,
  type NewWebhook,
  type WebhookStore,
} from '../store.ts';
import { webhookTables } from '../table.ts';

export const secretOf = (text: string) =>
  new Secret(`whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`);

/** A request as an endpoint receives it. */
export interface Received {
  readonly url: string;
  readonly id: string;
  readonly replica: number;
  readonly at: Date;
  readonly request: OutboundRequest;
}

export type Response =
  | { readonly status: number; readonly retryAfter?: string; readonly body?: string }
  | { readonly failure: string };

interface ReplicaOptions {
  readonly onCall?: OnCall;
  /** Their format is `STANDARD`. */
  readonly configured?: readonly (Omit<ConfiguredWebhook, 'format' | 'chatId'> & {
    readonly secrets: readonly Secret[];
  })[];
  readonly formats?: readonly ChatFormat[];
}

const executeAtOnce: OnCall = (_method, execute) => execute();

/** An account with events and webhooks in one SQLite journal, endpoints that respond as a test says, and replicas. */
export async function createWebhookAccount() {
  const time = createSimulatedClock();
  const { clock } = time;
  const folder = await newFolder('webhooks');
  const connect = () => openEventJournal(join(folder, 'journal.db'), webhookTables);
  const journal = await connect();
  const store = createWebhookStore(journal.database);
  const opened = [journal.close];
  onTestFinished(async () => {
    for (const close of opened.toReversed()) await close();
    await rm(folder, { recursive: true });
  });
  const received: Received[] = [];
  const log: (readonly [string, ...unknown[]])[] = [];
  let respond = async (_received: Received): Promise<Response> => ({ status: 200 });
  let [events, replicas, uuids] = [0, 0, 0];

  return {
    ...{ time, journal, store, received, log },
    /** Sets how endpoints respond. */
    onRequest(handler: (received: Received) => Response | Promise<Response>): void {
      respond = async (one) => handler(one);
    },
    /** Stores an event and returns its id. */
    async happen(changes: Partial<NewEvent> = {}): Promise<string> {
      events += 1;
      const event = eventNumber(events, { at: clock.now(), ...changes });
      await journal.events.append(account, event);
      return event.id;
    },
    async add(id: string, changes: Partial<NewWebhook> = {}): Promise<void> {
      const position = await journal.events.lastPosition(account);
      const types: readonly EventType[] = [];
      const webhook = {
        ...{ id, url: `https://${id}.example/`, description: null, types, position },
        ...{
          owner: null,
          customer: null,
          labels: [],
          format: standard,
          chatId: null,
          secret: secretOf(id),
          createdAt: clock.now(),
          ...changes,
        },
      };
      await store.add(account, webhook, 1_000);
    },
    webhook: (id: string) => store.byId(account, id),
    attempts: (id: string) => store.attempts(account, id, 1_000),
    /** The ids of the events that an endpoint received, in order. */
    idsOf: (id: string) =>
      received.filter(({ url }) => url === `https://${id}.example/`).map((one) => one.id),
    async startReplica({
      onCall = executeAtOnce,
      configured = [],
      formats = [],
    }: ReplicaOptions = {}) {
      replicas += 1;
      const replica = replicas;
      if (replica === 1) {
        const onError = (error: unknown) => log.push(['error', error]);
        const options = { store: journal.events, account, clock, isEnabled: true, onError };
        const publisher = new Publisher(options);
        opened.push(() => publisher.close());
      }
      const own = await connect();
      opened.push(own.close);
      const uuid = () => {
        uuids += 1;
        return `id-${String(uuids).padStart(6, '0')}`;
      };
      const ownStore = Object.fromEntries(
        Object.entries<(...args: readonly unknown[]) => Promise<unknown>>(
          createWebhookStore(own.database) as never,
        ).map(([method, run]) => [
          method,
          (...args: readonly unknown[]) => onCall(method, () => run(...args)),
        ]),
      ) as unknown as WebhookStore;
      const sender = createSender({
        clock,
        randomness: { uuid },
        configured: new Map(configured.map(({ id, secrets }) => [id, secrets])),
        ...{ userAgent: 'test', formats },
        onAttempt: (outcome) => log.push(['attempt', outcome.status]),
        outbound: {
          post: (request) =>
            onCall('post', async () => {
              const one = {
                ...{ url: request.url, id: request.headers['webhook-id'] ?? '' },
                ...{ replica, at: clock.now(), request },
              };
              received.push(one);
              const response = await respond(one);
              return 'failure' in response
                ? response
                : { retryAfter: undefined, body: '', ...response };
            }),
        },
      });
      const deliveries = new Deliveries({
        ...{ store: ownStore, events: own.events, account, clock, sender },
        timeoutMs: 15_000,
        quotes: plainQuotes,
        randomness: { uuid, fraction: () => 0 },
        configured: configured.map(({ secrets: _secrets, ...webhook }) => ({
          ...webhook,
          ...{ format: standard, chatId: null },
        })),
        onSuspended: ({ id }, reason) => log.push(['suspended', id, reason]),
        onMissed: ({ id, progress }) => log.push(['missed', id, progress.missedUntil]),
        onError: (error) => log.push(['error', error]),
      });
      return deliveries;
    },
  };
}

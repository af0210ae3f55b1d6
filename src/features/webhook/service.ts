import { type Caller, ownerOf } from '../../kernel/caller.ts';
import { Fault, invalidInput, withinRange } from '../../kernel/faults.ts';
import { globalId } from '../../kernel/ids.ts';
import { dayMs } from '../../kernel/instant.ts';
import { type LabelFilter, labelConditions } from '../../kernel/label.ts';
import { composed } from '../../lib/text.ts';
import { asPayload, assertConfirmed, createChecks } from '../../modules/mutation/checks.ts';
import { type Quotes, tenantPricing } from '../../modules/quote/quotes.ts';
import { perRequest } from '../../scope/scope.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { EventType } from '../event/log.ts';
import type { EventStore } from '../event/store.ts';
import { eventStore } from '../event/stores.ts';
import { sendNow } from './attempts.ts';
import type { WebhookDeps } from './deps.ts';
import { standard } from './format.ts';
import { nextMessage, testMessage } from './message.ts';
import { webhookDeliveries } from './parts.ts';
import type { WebhookRecord } from './record.ts';
import { type WebhookStore, webhookStore } from './store.ts';
import { webhookUrlFlaw } from './url.ts';

export type { WebhookAttempt } from './attempt-store.ts';
export type { WebhookRecord } from './record.ts';

export interface CreateWebhookInput {
  readonly url: string;
  readonly description?: string | null | undefined;
  readonly types?: readonly EventType[] | null | undefined;
  /** Null for all events. */
  readonly customer?: string | null | undefined;
  readonly labels?: readonly LabelFilter[] | null | undefined;
  readonly format: string;
  readonly chatId?: string | null | undefined;
}

/** Absent members are not changed. Null removes the description or the filter. */
export interface UpdateWebhookInput
  extends Omit<CreateWebhookInput, 'url' | 'customer' | 'labels' | 'format' | 'chatId'> {
  readonly id: string;
  readonly url?: string | null | undefined;
  readonly resume?: boolean | null | undefined;
}

interface WebhookId {
  readonly id: string;
}

/** Webhooks that mutations create for the reseller, and for each customer. */
const maxWebhooks = { ofReseller: 50, ofCustomer: 10 };
/** Requests to an endpoint in one response at most. */
const maxDeliveries = 200;
const maxDescriptionLength = 200;
/** After a rotation the secret before it signs this long. */
const oldSecretMs = dayMs;

interface ServiceDeps extends Pick<TenantFacts, 'account' | 'clock' | 'randomness'> {
  readonly store: WebhookStore;
  readonly events: EventStore;
  readonly webhooks: WebhookDeps;
  readonly quotes: Quotes;
  readonly caller: Caller;
}

/** The webhooks of an account that belong to the customer of the caller, or to the reseller for a caller without one. */
function createWebhookService(deps: ServiceDeps) {
  const { store, events, account, clock, randomness } = deps;
  const { formatOf } = deps.webhooks.sender;
  return {
    list: () => ownWebhooks(deps),
    byId: (id: string) => ownWebhook(deps, id),
    /** The newest requests to the endpoint, newest first. @throws Fault `INVALID_INPUT` */
    attempts: async (webhookId: string, first: number) =>
      store.attempts(account, webhookId, withinRange('first', first, 1, maxDeliveries)),

    ...createChanges(deps),

    test: ({ id }: WebhookId) =>
      asPayload(async () => {
        const webhook = await find(deps, id);
        const format = formatOf(webhook);
        const message = testMessage(randomness.uuid(), clock.now(), format, webhook);
        return { delivery: await sendNow(deps, webhook, message, 'TEST') };
      }),

    redeliver: ({ id, eventId }: WebhookId & { readonly eventId: string }) =>
      asPayload(async () => {
        const webhook = await find(deps, id);
        const event = await events.byId(account, eventId);
        if (!event || (webhook.customer !== null && event.customer !== webhook.customer)) {
          throw new Fault('NOT_FOUND', {
            message: 'There is no event with this id; events are deleted after some time.',
            path: ['input', 'eventId'],
          });
        }
        const message = nextMessage(formatOf(webhook), [event], webhook, deps.quotes);
        return { delivery: await sendNow(deps, webhook, message, 'REDELIVERY') };
      }),
  };
}

/** The mutations that change webhooks. */
function createChanges(deps: ServiceDeps) {
  const { store, events, account, clock, randomness } = deps;
  const { deliveries, newSecret } = deps.webhooks;
  const hasUrl = async (url: string, chatId: string | null): Promise<boolean> =>
    (await ownWebhooks(deps)).some((one) => one.url === url && one.chatId === chatId);

  return {
    /** The secret is part of no other result than this and that of `rotate`. */
    create: ({
      url: text,
      description = null,
      types,
      customer = null,
      labels,
      format,
      chatId: chat = null,
    }: CreateWebhookInput) =>
      asPayload(async () => {
        const { customer: owner } = deps.caller;
        const chatId = chat?.trim() ?? null;
        await checkInput(deps, { url: text, description, customer });
        checkChat(deps, { format, chatId });
        const conditions = labelConditions(labels);
        const id = randomness.uuid();
        const secret = format === standard ? newSecret() : null;
        const position = await events.lastPosition(account);
        const options = { url: hrefOf(text), description, types: [...new Set(types ?? [])] };
        const scope = {
          owner,
          customer: owner ?? composed(customer) ?? null,
          labels: conditions,
          format,
          chatId,
        };
        const webhook = { ...options, ...scope, id, secret, createdAt: clock.now(), position };
        const most = owner === null ? maxWebhooks.ofReseller : maxWebhooks.ofCustomer;
        if (!(await store.add(account, webhook, most))) {
          throw (await hasUrl(webhook.url, chatId)) ? sameUrl() : tooMany(most);
        }
        deliveries.wake();
        return { webhook: await find(deps, id), ...(secret && { secret }) };
      }),

    update: ({ id, url: text, description, types, resume }: UpdateWebhookInput) =>
      asPayload(async () => {
        const isChanged = [text ?? undefined, description, types].some((one) => one !== undefined);
        const before = await (isChanged ? findOwn(deps, id) : find(deps, id));
        await checkInput(deps, { url: text, description });
        const url = typeof text === 'string' ? hrefOf(text) : null;
        const changed = await store.change(account, id, {
          ...(url !== null && url !== before.url && { url }),
          ...(description !== undefined && { description }),
          ...(types !== undefined && { types: [...new Set(types ?? [])] }),
          resume: resume === true && before.progress.suspension !== null,
        });
        deliveries.wake();
        if (changed) return { webhook: changed };
        throw url !== null && (await hasUrl(url, before.chatId)) ? sameUrl() : unknown();
      }),

    rotate: ({ id }: WebhookId) =>
      asPayload(async () => {
        const { format } = await findOwn(deps, id);
        if (format !== standard) throw noSecret(format);
        const secret = newSecret();
        const oldUntil = new Date(clock.now().getTime() + oldSecretMs);
        const webhook = (await store.rotate(account, id, { secret, oldUntil })) ?? unknown();
        return { webhook, secret };
      }),

    remove: ({ id, confirm }: WebhookId & { readonly confirm: boolean }) =>
      asPayload(async () => {
        assertConfirmed({ confirm });
        await findOwn(deps, id);
        await store.remove(account, id);
        return { deletedId: globalId('Webhook', id) };
      }),
  };
}

async function ownWebhooks({ store, account, caller }: ServiceDeps) {
  const all = await store.list(account);
  return all.filter(({ owner }) => owner === caller.customer);
}

/** Null for a webhook of another owner. */
async function ownWebhook({ store, account, caller }: ServiceDeps, id: string) {
  const found = await store.byId(account, id);
  return found?.owner === caller.customer ? found : null;
}

const find = async (deps: ServiceDeps, id: string): Promise<WebhookRecord> =>
  (await ownWebhook(deps, id)) ?? unknown();

/** A webhook that mutations may change. */
async function findOwn(deps: ServiceDeps, id: string): Promise<WebhookRecord> {
  const webhook = await find(deps, id);
  if (webhook.source === 'API') return webhook;
  throw invalidInput('This webhook is in the setting WEBHOOKS of the gateway; change it there.', {
    path: ['input', 'id'],
  });
}

/** @throws Problems */
async function checkInput(
  { webhooks: { outbound, allowsPrivate }, caller }: ServiceDeps,
  {
    url,
    description,
    customer,
  }: Pick<UpdateWebhookInput, 'url' | 'description'> & Pick<CreateWebhookInput, 'customer'>,
): Promise<void> {
  const checks = createChecks();
  const add = (flaw: string, field: string) =>
    checks.add(invalidInput(flaw, { path: ['input', field] }));
  if ((description ?? '').length > maxDescriptionLength) {
    add(`The description must have at most ${maxDescriptionLength} characters.`, 'description');
  }
  const path = ['input', 'customer'];
  checks.check(path, () => ownerOf(caller, customer, path));
  if (typeof url === 'string') {
    const flaw = webhookUrlFlaw(url, allowsPrivate);
    const reason = flaw ? `The URL ${flaw}` : await outbound.flawOf(hrefOf(url));
    if (reason) add(reason, 'url');
  }
  checks.finish();
}

/** @throws Fault `INVALID_INPUT` for a chat id that the format does not have, or lacks */
function checkChat(
  { webhooks: { sender } }: ServiceDeps,
  { format, chatId }: Pick<WebhookRecord, 'format' | 'chatId'>,
): void {
  const needsChatId = sender.formatOf({ format })?.needsChatId ?? false;
  const path = ['input', 'chatId'];
  if (needsChatId && !/^[\w@-]{1,64}$/.test(chatId ?? '')) {
    throw invalidInput(`The format ${format} needs a chat in "chatId", such as -1001234567890.`, {
      path,
    });
  }
  if (!needsChatId && chatId !== null) {
    throw invalidInput(`The format ${format} has no "chatId"; its URL names the chat.`, { path });
  }
}

/** A URL in canonical form. */
const hrefOf = (url: string): string => new URL(url).href;

function unknown(): never {
  throw new Fault('NOT_FOUND', {
    message: 'The account has no such webhook.',
    path: ['input', 'id'],
  });
}

const sameUrl = () =>
  new Fault('ALREADY_EXISTS', {
    message: 'A webhook with this URL exists; rotate its secret if you do not have it.',
    path: ['input', 'url'],
  });

const noSecret = (format: string) =>
  invalidInput(
    `A webhook of the format ${format} has no secret: its URL is the credential. Create a new URL in the chat service, and set it with "updateWebhook".`,
    { path: ['input', 'id'] },
  );

const tooMany = (most: number) =>
  invalidInput(`There are ${most} webhooks, which is the limit; delete one first.`);

export const webhooks = perRequest('webhooks', ({ tenant, caller, store, use }) =>
  createWebhookService({
    ...tenant,
    caller,
    store: store(webhookStore),
    events: store(eventStore),
    webhooks: use(webhookDeliveries),
    quotes: use(tenantPricing).retail,
  }),
);

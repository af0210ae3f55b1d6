import { setTimeout as sleep } from 'node:timers/promises';
import { order, transferCode } from '../graph/purchases/shop.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import { ada } from '../support/ada.ts';
import { openStream } from '../support/event-stream.ts';
import { type ReceivedWebhook, startWebhookReceiver } from '../support/webhook-receiver.ts';
import type { Deployment } from './deployment.ts';
import type { Fleet } from './fleet.ts';

const faults = [
  null,
  null,
  'lost-answer',
  'late',
  'reset',
  'cut',
  'drip',
  'gateway',
  'twice',
  'code',
];
export const buy = (field: string, type: string) =>
  `mutation ($input: ${type}Input!) { ${field}(input: $input) { purchase { id state } } }`;
export const place =
  'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } } }';
const amountDue =
  'query ($key: String!) { order(by: { key: $key }) { payment { amountDue { amount currency } } } }';
const confirm = `mutation ($input: ConfirmPaymentInput!) { confirmPayment(input: $input) {
  payment { state amounts { reference } } } }`;
export const change =
  'mutation ($input: ChangeDomainsInput!) { changeDomains(input: $input) { bulkChange { id } } }';
const follow = 'subscription ($after: String!) { events(after: $after) { id cursor } }';

const list = (count: number, name: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => name(at));
export const hostsOf = (name: string) => [`ns1.${name}.net`, `ns2.${name}.net`];
const written = list(6, (at) => `written-${at}.com`);
const inJobs = [0, 1, 2, 3, 4, 5].map((job) => list(6, (at) => `job-${job}-${at}.com`));

export type Clients = ReturnType<typeof createClients>;

/** The clients of gateways that are killed. Each repeats a request, with the same key, until it has a result. */
export function createClients(
  { admin }: Pick<Deployment, 'admin'>,
  fleet: Pick<Fleet, 'next' | 'send'>,
  seed: number,
) {
  let isOver = false;
  const work: Promise<unknown>[] = [];
  /** The purchases and the last state in the responses to each key. */
  const bought = new Map<string, { readonly ids: Set<string>; state: string }>();
  /** The values of a field, by the type of its events and the domain, in order. */
  const histories = new Map<string, string[]>();
  /** The domains that another client of the registrar bought. */
  const foreign: string[] = [];
  const followed: { readonly id: string; readonly cursor: string }[] = [];

  // biome-ignore lint/suspicious/noExplicitAny: a payload of any mutation
  const sendUntil = async (query: string, input: object, isDone: (payload: any) => boolean) => {
    while (!isDone(Object.values(await fleet.send(query, { input }))[0])) await sleep(300);
  };
  const arm = async (random: Random, action: string, domain: string) => {
    const fault = random.pick(faults);
    if (fault) await admin('POST', '/faults', { fault, action, domain, ms: 7_000 });
  };
  /** Reports an amount that does not fit, then the right one twice at once, until each report is recorded. */
  const pay = async (key: string) => {
    const { order: placed } = await fleet.send(amountDue, { key });
    const report = (reference: string, amount: object) =>
      sendUntil(
        confirm,
        { order: { key }, reference: `${key}-${reference}`, amount },
        ({ payment }) =>
          payment?.amounts.some(
            (one: { reference: string }) => one.reference === `${key}-${reference}`,
          ),
      );
    await report('wrong', { amount: '0.01', currency: 'USD' });
    const right = placed.payment.amountDue;
    await Promise.all([report('right', right), report('right', right)]);
  };
  const buyOne = (query: string, domain: string, input: object) => {
    const seen = { ids: new Set<string>(), state: '' };
    bought.set(domain, seen);
    const whole = { ...input, domain, idempotencyKey: domain };
    return sendUntil(query, whole, ({ purchase }) => {
      if (!purchase) return false;
      seen.ids.add(purchase.id);
      seen.state = purchase.state;
      return purchase.state !== 'SENDING' && purchase.state !== 'PENDING';
    });
  };
  /** Writes a field of a domain, with `field` and its other arguments, until it has no error. */
  const setOne = async (type: string, domain: string, value: string, [field, rest]: string[]) => {
    histories.get(`${type} ${domain}`)?.push(value);
    const query = `mutation { ${field}(input: { domain: "${domain}" ${rest} }) { errors { code } } }`;
    await sendUntil(query, {}, ({ errors }) => errors.length === 0);
    // The sandbox executes a call of a killed gateway before the next write.
    await sleep(500);
  };

  const tasks: readonly ((random: Random) => Promise<void>)[] = [
    async function register(random) {
      for (let at = 0; !isOver; at += 1) {
        await arm(random, 'registerdomain', `random-${at}.com`);
        const query = buy('registerDomain', 'RegisterDomain');
        begin(buyOne(query, `random-${at}.com`, order({ period: 1 })));
        await sleep(random.between(500, 1_500));
      }
    },
    async function transfer(random) {
      for (let at = 0; !isOver; at += 1) {
        await arm(random, 'transferdomain', `outside-${at}.com`);
        const query = buy('transferDomain', 'TransferDomain');
        begin(buyOne(query, `outside-${at}.com`, { authCode: transferCode }));
        await sleep(random.between(5_000, 15_000));
      }
    },
    async function placeOrders(random) {
      for (let at = 0; !isOver; at += 1) {
        const names = list(6, (line) => `ordered-${at}-${line}.com`);
        for (const domain of names) await arm(random, 'registerdomain', domain);
        const transferred = { domain: `outside-ordered-${at}.com`, authCode: transferCode };
        const input = {
          idempotencyKey: `order-${at}`,
          lines: [
            ...names.map((domain) => ({ registration: { domain } })),
            { transfer: transferred },
          ],
          defaults: { registrant: { fields: ada }, nameServers: hostsOf('ordered') },
        };
        const isPaid = at % 2 === 0;
        const payment = isPaid ? { expiresAfter: 'PT1H' } : null;
        await sendUntil(place, { ...input, payment }, (payload) => payload.order !== null);
        if (isPaid) begin(pay(input.idempotencyKey));
        await sleep(random.between(10_000, 20_000));
      }
    },
    async function changeMany(random) {
      for (const [at, names] of inJobs.entries()) {
        const nameServers = hostsOf(`job-${at}`);
        for (const domain of names) {
          histories.get(`NAME_SERVERS_CHANGED ${domain}`)?.push(nameServers.join(' '));
          // The gateway can be killed between the change and its reply.
          const slowReply = { fault: 'drip', action: 'modifynameserver', ms: 1_500 };
          await admin('POST', '/faults', { ...slowReply, domain });
        }
        const chosen = {
          names,
          expectedCount: names.length,
          change: { setNameServers: nameServers },
        };
        const input = { idempotencyKey: `job-${at}`, ...chosen };
        await sendUntil(change, input, (payload) => payload.bulkChange !== null);
        await sleep(random.between(3_000, 10_000));
      }
    },
    async function buyElsewhere(random) {
      for (let at = 0; !isOver; at += 1) {
        foreign.push(`elsewhere-${at}.com`);
        await admin('POST', '/domains', { name: `elsewhere-${at}.com` });
        await sleep(random.between(2_000, 6_000));
      }
    },
    ...written.map((domain) => async (random: Random) => {
      await sleep(random.between(0, 20_000));
      await setOne('TRANSFER_UNLOCKED', domain, 'false', ['disableTransferLock', '']);
      for (let at = 0; !isOver; at += 1) {
        const hosts = hostsOf(`write-${at}`);
        const setHosts = ['setNameServers', `nameServers: ${JSON.stringify(hosts)}`];
        await setOne('NAME_SERVERS_CHANGED', domain, hosts.join(' '), setHosts);
        const isPrivate = String(at % 2 === 0);
        const setPrivacy = ['setPrivacyProtection', `privacyProtected: ${isPrivate}`];
        await setOne('PRIVACY_CHANGED', domain, isPrivate, setPrivacy);
        await sleep(random.between(0, 8_000));
      }
    }),
  ];
  const createDomain = async (name: string) => {
    const facts = { locked: true, privacy: false, nameServers: hostsOf('first') };
    await admin('POST', '/domains', { name, ...facts });
    histories.set(`NAME_SERVERS_CHANGED ${name}`, [hostsOf('first').join(' ')]);
    histories.set(`PRIVACY_CHANGED ${name}`, ['false']);
    histories.set(`TRANSFER_UNLOCKED ${name}`, ['true']);
  };
  /** An error is thrown by `end`. */
  const begin = (task: Promise<unknown>) => {
    task.catch(() => undefined);
    work.push(task);
  };

  return {
    ...{ bought, histories, foreign, followed },
    ...{ sendUntil, buyOne, setOne, createDomain },
    /** Creates the domains that clients write. */
    async createDomains() {
      for (const name of [...written, ...inJobs.flat()]) await createDomain(name);
    },
    begin() {
      for (const [at, task] of tasks.entries()) begin(task(createRandom(seed * 100 + at)));
    },
    /** Follows the events after a cursor, until the signal aborts. */
    async followEvents(start: string, signal: AbortSignal, headers = {}) {
      while (!signal.aborted) {
        const after = followed.at(-1)?.cursor ?? start;
        const request = { query: follow, variables: { after }, headers };
        const origin = fleet.next()?.origin;
        const stream = origin && (await openStream(origin, request).catch(() => null));
        const next = async () => (stream ? stream.next().catch(() => null) : null);
        for (let event = await next(); event; event = await next())
          if (event.data?.data) followed.push(event.data.data.events);
        await sleep(100);
      }
    },
    /** Begins nothing more, and waits until each request has its result; the comparison shows those without one. */
    async end() {
      isOver = true;
      const waited = sleep(150_000, 'over', { ref: false });
      while (
        work.length > 0 &&
        (await Promise.race([Promise.all(work.splice(0)), waited])) !== 'over'
      );
    },
  };
}

export type RandomReceiver = Awaited<ReturnType<typeof startRandomReceiver>>;

/** A webhook that accepts most events at once, and others late or not. */
export async function startRandomReceiver(random: Random) {
  const receiver = await startWebhookReceiver();
  /** With the status of the response; 0 before, and without one. */
  const deliveries: (ReceivedWebhook & { status: number })[] = [];
  let waiting = 0;
  let isCalm = false;
  receiver.onRequest(async (one) => {
    const delivery = { ...one, status: 0 };
    deliveries.push(delivery);
    const kind = isCalm
      ? 'accept'
      : random.weighted({ accept: 80, slow: 8, hang: 5, fail: 4, reset: 3 });
    waiting += 1;
    await sleep({ accept: 0, fail: 0, reset: 0, slow: 1_000, hang: 10_000 }[kind]);
    waiting -= 1;
    delivery.status = { accept: 204, slow: 200, hang: 0, fail: 500, reset: 0 }[kind];
    return delivery.status;
  });
  return {
    ...{ url: receiver.url, close: receiver.close, deliveries },
    isWaiting: () => waiting > 0,
    calm() {
      isCalm = true;
    },
  };
}

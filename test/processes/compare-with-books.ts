import { wasSigned } from '../support/webhook-receiver.ts';
import type { Deployment } from './deployment.ts';
import type { Fleet } from './fleet.ts';
import type { Clients, RandomReceiver } from './random-clients.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of the graph and of the sandbox
type Row = any;
type Rows = readonly Row[];
type Faults = Iterable<string>;

export interface TestedWebhook extends Pick<RandomReceiver, 'deliveries'> {
  readonly secret: string;
  /** The types of its events; all when it is empty. */
  readonly types: readonly string[];
}

const read = 'query ($id: ID!) { purchase(by: { id: $id }) { state } }';
const purchaseActions = ['registerdomain', 'transferdomain'];

/** All items of a list. */
async function readAll(
  { send }: Pick<Fleet, 'send'>,
  field: string,
  first: number,
  fields: string,
) {
  const all: Row[] = [];
  for (let after: string | null = null; ; ) {
    const query = `query ($after: String) { ${field}(first: ${first}, after: $after) {
      nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
    const { nodes, pageInfo }: Row = (await send(query, { after }))[field];
    all.push(...nodes);
    if (!pageInfo.hasNextPage) return all;
    after = pageInfo.endCursor;
  }
}

const sum = (amounts: readonly string[]): number =>
  amounts.reduce((total, amount) => total + Math.round(Number(amount) * 10_000), 0);
const sumOf = (rows: Rows): number => sum(rows.map(({ price }) => price.amount ?? price));
const textOf = (value: Row) => value && { text: value.text };
const isEnd = (state: string): boolean => state === 'SUCCEEDED' || state === 'FAILED';

/** Each purchase was sent and paid at most once, and ended as the ledger of the sandbox shows. */
function* comparePurchases(purchases: Rows, ledger: Rows, calls: Rows, clients: Clients): Faults {
  const byDomain = Map.groupBy(purchases, ({ domainName }) => domainName);
  for (const [domain, all] of byDomain) {
    const paid = ledger.filter((one) => one.domain === domain);
    const sent = calls.filter(
      (one) => one.domain === domain && purchaseActions.includes(one.action),
    );
    const succeeded = all.filter(({ state }) => state === 'SUCCEEDED');
    const isRight =
      all.every(({ state }) => isEnd(state)) &&
      paid.length <= 1 &&
      sent.length <= all.length &&
      succeeded.length === paid.length &&
      sumOf(succeeded) === sumOf(paid);
    if (!isRight)
      yield `${domain} is ${all.map(({ state }) => state)}: ${JSON.stringify({ sent, paid })}`;
  }
  for (const { domain } of ledger) if (!byDomain.has(domain)) yield `${domain} has no purchase`;
  for (const [key, { ids, state }] of clients.bought) {
    const purchase = purchases.find((one) => one.key === key);
    if (ids.size !== 1 || !ids.has(purchase?.id)) yield `${key} is ${ids.size} purchases`;
    if (isEnd(state) && state !== purchase?.state)
      yield `${key} was ${state}, and is ${purchase?.state}`;
  }
}

/** The sum of the payments less the refund that is due is the price of the bought lines. */
function* compareOrders(orders: Rows, ledger: Rows): Faults {
  for (const { key, state, spent, lines, payment } of orders) {
    const paid = ledger.filter((one) => lines.some((line: Row) => line.domainName === one.domain));
    const isLineRight = (line: Row) =>
      line.state ===
      (paid.some(({ domain }) => domain === line.domainName) ? 'SUCCEEDED' : 'FAILED');
    const isRight = state !== 'RUNNING' && lines.every(isLineRight);
    if (!isRight || sum(spent.map(({ price }: Row) => price.amount)) !== sumOf(paid))
      yield `${key} is ${state}: ${JSON.stringify({ lines, spent, paid })}`;
    if (!payment) continue;
    const cent = sum(['0.01']);
    const [due, received, refund] = [payment.amountDue, payment.paid, payment.refundDue].map(
      ({ amount }: Row) => sum([amount]),
    );
    const hasAll = payment.state === 'PAID' && received === (due ?? 0) + cent;
    if (!hasAll || (received ?? 0) - (refund ?? 0) !== sumOf(paid))
      yield `${key} is paid as ${JSON.stringify({ payment, paid })}`;
  }
}

/** The journal of a change has the value before it, with which a client undoes it. */
function* compareChanges(jobs: Rows, { histories }: Clients): Faults {
  for (const { key, change, items } of jobs)
    for (const { domainName: domain, state, before } of items) {
      const values = histories.get(`NAME_SERVERS_CHANGED ${domain}`) ?? [];
      const was = values[values.indexOf(change.setNameServers.join(' ')) - 1];
      if (state !== 'SUCCEEDED' || before.nameServers.join(' ') !== was)
        yield `${key}: ${domain} is ${state}, and was ${JSON.stringify(before)}`;
    }
}

/** The events of each written field lead from its first value to the last one, which the sandbox has. */
function* compareHistories(events: Rows, records: Rows, { histories }: Clients): Faults {
  for (const [key, values] of histories) {
    const [type = '', domain] = key.split(' ');
    const { nameServers, privacy, locked } = records.find(({ name }) => name === domain);
    const own = { NAME_SERVERS_CHANGED: nameServers.join(' '), PRIVACY_CHANGED: String(privacy) };
    const last = { ...own, TRANSFER_UNLOCKED: String(locked) }[type];
    let at = 0;
    const found = events.filter((one) => one.domainName === domain && one.type === type);
    for (const { before: old, after: now, source } of found) {
      const [before, after] = [old?.text, now?.text];
      const next = values.indexOf(after, at + 1);
      if (before !== values[at] || next < 0 || source !== 'GATEWAY')
        yield `${type} of ${domain} after ${values[at]}: ${before} to ${after} by ${source}`;
      at = Math.max(at, next);
    }
    if (values[at] !== last || last !== values.at(-1))
      yield `${type} of ${domain} ends with ${values[at]}, not ${values.at(-1)}; it is ${last}`;
  }
}

/** The events are one list without gaps and repetitions, which a follower has seen as it is. */
function* compareEvents(events: Rows, purchases: Rows, { followed, foreign }: Clients): Faults {
  for (const [at, { id, cursor }] of events.entries()) {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Number(position) !== at + 1) yield `event ${at + 1} has the position ${position}`;
    if (followed[at]?.id !== id)
      yield `event ${at + 1} is ${id}; a follower has ${followed[at]?.id}`;
  }
  if (followed.length > events.length) yield `a follower has ${followed.length} events`;
  const ids = new Set(events.map(({ id }) => id));
  if (ids.size < events.length) yield 'two events have the same id';

  const succeeded = purchases.filter(({ state }) => state === 'SUCCEEDED');
  const transfers = succeeded.filter(({ kind }) => kind === 'TRANSFER');
  const ofPurchase = (type: string, after: string) => (one: Row) =>
    `${type} ${one.domainName} ${one.id} GATEWAY ${after || one.state}`;
  const expected = [
    ...purchases.map(ofPurchase('PURCHASE_SETTLED', '')),
    ...transfers.map(ofPurchase('TRANSFER_COMPLETED', 'COMPLETED')),
    ...succeeded.map(ofPurchase('DOMAIN_ADDED', 'any')),
    ...foreign.map((domain) => `DOMAIN_ADDED ${domain} null UPSTREAM any`),
    'BALANCE_LOW null null UPSTREAM any',
  ];
  const found = events.map(({ type, domainName, purchase, source, after }) => {
    const isSettled = type === 'PURCHASE_SETTLED' || type === 'TRANSFER_COMPLETED';
    return `${type} ${domainName} ${purchase?.id ?? null} ${source} ${isSettled ? after.text : 'any'}`;
  });
  const types = new Set(expected.map((one) => one.split(' ')[0]));
  for (const one of new Set([...expected, ...found])) {
    const times = (all: readonly string[]) => all.filter((other) => other === one).length;
    if (types.has(one.split(' ')[0]) && times(expected) !== times(found))
      yield `${times(found)} events ${one}`;
  }
}

/** The operations of the audit log that make a call. */
export const operations: Readonly<Record<string, string>> = {
  ...{ registerdomain: 'registerDomain', transferdomain: 'transferDomain' },
  ...{ modifynameserver: 'setNameServers', modifyprivacystatus: 'setPrivacyProtection' },
  disabletheftlock: 'disableTransferLock',
};

/** Each write that the sandbox received has an entry of the audit log (A3), of the mutation that makes it. */
function* compareAudit(entries: Rows, calls: Rows): Faults {
  for (const { action, domain } of calls) {
    const operation = operations[action];
    const isOfCall = (one: Row) => one.operation === operation && one.domainName === domain;
    if (operation && !entries.some(isOfCall)) yield `${action} of ${domain} has no entry`;
  }
}

/** A webhook received each event in order, and again only before it had accepted a later one. */
function* compareDeliveries(events: Rows, { secret, types, deliveries }: TestedWebhook): Faults {
  const expected = events.filter(({ type }) => types.length === 0 || types.includes(type));
  let accepted = 0;
  for (const delivery of deliveries) {
    const at = expected.findIndex(({ id }) => id === delivery.id);
    const { type, data } = JSON.parse(delivery.body);
    const { purchaseId, before, after, ...others } = data;
    const purchase = purchaseId && { id: purchaseId };
    const values = { purchase, before: textOf(before), after: textOf(after) };
    const event = expected[at];
    const isInOrder = at === accepted || at === accepted - 1;
    const isSame =
      JSON.stringify({ ...event, ...others, type, ...values }) === JSON.stringify(event);
    if (!isInOrder || !isSame || !wasSigned(secret, delivery))
      yield `a webhook received ${delivery.body} as event ${at + 1} after ${accepted} events`;
    if (delivery.status >= 200 && delivery.status < 300) accepted = at + 1;
  }
  if (accepted < expected.length)
    yield `a webhook accepted ${accepted} of ${expected.length} events`;
}

/** What differs between the journal, the events, the webhooks and the books of the sandbox. */
export async function compareWithBooks(
  { admin }: Deployment,
  fleet: Pick<Fleet, 'send' | 'readBackups'>,
  clients: Clients,
  webhooks: readonly TestedWebhook[],
): Promise<readonly string[]> {
  const purchases = await readAll(
    fleet,
    'purchases',
    100,
    'id key domainName kind state price { amount }',
  );
  // The gateway reads the domain of an open purchase when a client reads the purchase.
  for (const { id, state } of purchases) if (!isEnd(state)) await fleet.send(read, { id });
  const orders = await readAll(
    fleet,
    'orders',
    10,
    `key state spent { price { amount } } lines(first: 10) { domainName state }
      payment { state amountDue { amount } paid { amount } refundDue { amount } }`,
  );
  const jobs = await readAll(
    fleet,
    'bulkChanges',
    10,
    'key change { setNameServers } items(first: 10) { domainName state before { nameServers } }',
  );
  const events = await readAll(
    fleet,
    'events',
    100,
    'id cursor type subject domainName purchase { id } source before { text } after { text }',
  );
  const entries = await readAll(fleet, 'auditLog', 100, 'operation domainName');
  const { domains } = await fleet.send(
    '{ domains(first: 1, refresh: true) { totalCount coverage { complete } } }',
  );
  const [state, calls] = await Promise.all([admin('GET', '/state'), admin('GET', '/calls')]);
  const ledger: Rows = state.purchases;
  const { balance } = state.balances.find(({ currency }: Row) => currency === 'USD');
  const written = new Set([...clients.histories.keys()].map((key) => key.split(' ')[1]));
  const records = await Promise.all(
    [...written].map(async (name) => (await admin('GET', `/domain?name=${name}`))[0]),
  );
  return [
    ...comparePurchases(purchases, ledger, calls, clients),
    ...(sum(['2500', `-${balance}`]) === sumOf(ledger) ? [] : [`the balance is ${balance}`]),
    ...compareOrders(orders, ledger),
    ...compareChanges(jobs, clients),
    ...compareHistories(events, records, clients),
    ...compareEvents(events, purchases, clients),
    ...compareAudit(entries, calls),
    ...webhooks.flatMap((webhook) => [...compareDeliveries(events, webhook)]),
    // Null when the registrar's list cannot be read.
    ...(domains?.coverage.complete && domains.totalCount === state.domains
      ? []
      : [`${JSON.stringify(domains)}`]),
    ...fleet.readBackups(),
  ];
}

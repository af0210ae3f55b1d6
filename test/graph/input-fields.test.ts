import { rm } from 'node:fs/promises';
import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { allAccessScopes } from '../../src/kernel/caller.ts';
import { apiKeysOf, by } from '../access/keys.ts';
import { createObject, objects, rootSamples, samplesOfAddedInputs } from '../samples/all.ts';
import { documentWithVariables, rootField } from '../samples/document-of.ts';
import { With } from '../samples/sample.ts';
import { transferCode } from '../samples/shared.ts';
import { ada } from '../support/ada.ts';
import { newFolder } from '../support/folder.ts';
import type { Payload } from './purchases/shop.ts';
import { startRecordedGateway } from './writes/recorded-gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: an input of any shape
type Json = any;

/** The input rows of the samples. `base` and `at` are those of the arguments. */
const rows = [...rootSamples, ...samplesOfAddedInputs].flatMap((sample) => {
  const hasInput = rootField(sample.field).args.some(({ name }) => name === 'input');
  const wrap = (base: object) => (hasInput ? { input: base } : base);
  const [, root = ''] = sample.field.split('.');
  return Object.entries(sample.inputs ?? {}).map(([type, { base, at = [], fields, ...row }]) => ({
    ...{ type, root, at: hasInput ? ['input', ...at] : at },
    document: documentWithVariables({ ...sample, ...row }),
    cases: Object.entries(fields).map(([field, one]) =>
      one instanceof With
        ? ([field, wrap(one.base), one.value] as const)
        : ([field, wrap(base), one] as const),
    ),
  }));
});
type Row = (typeof rows)[number];

const inputTypes = new Map<string, readonly string[]>();
const reach = (type: GraphQLInputType) => {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || inputTypes.has(named.name)) return;
  const fields = Object.values(named.getFields());
  inputTypes.set(named.name, fields.map(({ name }) => name).toSorted());
  for (const field of fields) reach(field.type);
};
for (const { field, inputs } of rootSamples) {
  if (!inputs && !field.startsWith('Mutation')) continue;
  for (const { type } of rootField(field).args) reach(type);
}

/** A webhook is suspended after days without success; `deliveries.test.ts` resumes one. */
const shownElsewhere: Readonly<Record<string, readonly string[]>> = {
  UpdateWebhookInput: ['resume'],
};

test('each field of an input that a mutation or a row reaches has a value that changes the outcome', () => {
  const valued = [...Map.groupBy(rows, ({ type }) => type)].map(([type, some]) => {
    const fields = some.flatMap(({ cases }) => cases.map(([field]) => field));
    // Several mutations have an input that they share.
    const distinct = new Set([...fields, ...(shownElsewhere[type] ?? [])]);
    return [type, [...distinct].toSorted()];
  });

  expect(valued.toSorted()).toEqual([...inputTypes].toSorted());
});

let folder: string;
let recorded: Awaited<ReturnType<typeof startRecordedGateway>>;

beforeAll(async () => {
  folder = await newFolder('input-fields');
  recorded = await startRecordedGateway({
    env: {
      ...{ DATA_DIR: folder, JOB_CONCURRENCY: '1', WEBHOOKS_ALLOW_PRIVATE: 'true' },
      ...{ EVENTS_INTERVAL_SECONDS: '3600' },
      API_KEYS: apiKeysOf({ one: [...allAccessScopes], two: [...allAccessScopes] }),
    },
  });
  const set = 'names: ["reseller-demo.com"]';
  await send(`mutation { setDomainCustomer(input: { ${set}, customer: "filtered" }) { errors { code } }
    labelDomains(input: { ${set}, set: [{ name: "filtered", value: "yes" }] }) { errors { code } } }`);
});
afterAll(async () => {
  await recorded?.close();
  await rm(folder, { recursive: true, force: true });
});

async function send(document: string, variables = {}, caller = 'one'): Promise<Json> {
  return recorded.gateway.query(document, variables, by(caller));
}

/** Objects that an input names by `%` and their name. A new one for each run, because some are deleted. */
const named: Readonly<Record<string, (label: string) => Promise<string>>> = {
  ...Object.fromEntries(
    objects.map(([name, object]) => [
      `%${name}`,
      (label: string) =>
        createObject(object, label, {
          env: recorded.env,
          send: async (document) => (await send(document)).data,
        }),
    ]),
  ),
  '%event': async () =>
    (await send('{ events(first: 1) { nodes { id } } }')).data.events.nodes[0].id,
};

const refusal = {
  status: 400,
  body: '{"result":"ERROR","error":{"Code":"API_2304_ERROR","Message":"Failed","Details":"No."}}',
};

/** The order that a retry is about, all of whose lines have failed. */
async function placeFailing(label: string): Promise<void> {
  const person = { fields: ada };
  const own = { domain: `${label}-own.xyz`, registrant: person, contact: person };
  const actions = ['registerdomain', 'registerdomain', 'transferdomain'];
  for (const action of actions) recorded.replyNext({ ...refusal, action });
  await send('mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id } } }', {
    input: {
      idempotencyKey: `first-${label}`,
      lines: [
        { registration: own },
        { registration: { domain: `${label}-shared.xyz` } },
        { transfer: { domain: `outside-first-${label}.co.uk`, authCode: transferCode } },
      ],
      defaults: { nameServers: ['ns1.a.net', 'ns2.a.net'], registrant: person, contact: person },
    },
  });
  await endOf(`first-${label}`);
}

/** The customers of the lines of the order with this key, once none is open but transfers in progress. */
async function endOf(key: string): Promise<Json> {
  for (;;) {
    const { data } = await send(
      `{ order(by: { key: "${key}" }) { progress { waiting sending pending } lines { customer } } }`,
    );
    const { progress, lines } = data.order;
    if (Object.values(progress).every((count) => count === 0)) return lines;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

let runs = 0;
const newLabel = () => {
  runs += 1;
  return `run${runs}q`;
};
const isWrite = (path: string) => !/action=(getd|getc|tldl|single|bulk|reseller)/.test(path);

const fill = async (input: object, label: string): Promise<Json> => {
  let text = JSON.stringify(input).replaceAll('$', label);
  for (const [name, create] of Object.entries(named)) {
    if (text.includes(name)) text = text.replaceAll(name, await create(label));
  }
  return JSON.parse(text);
};

interface Outcome {
  readonly isStored: boolean;
  readonly isRefused: boolean;
  readonly text: string;
}

/** What a request did: its response, and the writes that the upstream received, without the label. */
async function outcomeOf(
  { root, document }: Row,
  variables: Json,
  label: string,
): Promise<Outcome> {
  recorded.seen.length = 0;
  const caller = root === 'approve' || root === 'reject' ? 'two' : 'one';
  const { data, errors } = await send(document, variables, caller);
  const payload: Payload = data?.[root];
  const lines = payload?.order && (await endOf(payload.order.key));
  const requests = recorded.seen.filter(({ path }) => isWrite(path));
  const sent = requests.map(({ method, path, body }) => [method, path, body]);
  const text = JSON.stringify([payload, errors, sent, lines]);
  return {
    isStored: payload?.keyUsed === true || (payload?.bulkChange ?? null) !== null,
    isRefused: /IDEMPOTENCY_CONFLICT|INVALID_INPUT/.test(text),
    text: text
      .replaceAll(label, '$')
      .replaceAll(/"(id|requestId|deletedId|oldestRowAt)":"[^"]*"/g, '"$1":"-"'),
  };
}

const bases = new Map<string, Promise<{ readonly first: string; readonly before: Outcome }>>();

/** The outcome of the first value, which all fields of an input share. */
function outcomeOfBase(row: Row, base: object) {
  const run = async () => {
    const first = newLabel();
    if (row.root === 'retryOrder') await placeFailing(first);
    return { first, before: await outcomeOf(row, await fill(base, first), first) };
  };
  const key = row.document + JSON.stringify(base);
  const known = bases.get(key) ?? run();
  bases.set(key, known);
  return known;
}

/** Other fields are compared in a replay. */
const isNoInput = /^(idempotencyKey|dryRun|by)$/;

for (const row of rows) {
  const { type, root, at, cases } = row;
  const isOneOf = (schema.getType(type) as { isOneOf?: boolean }).isOneOf === true;

  /** The variables with another value of the field. */
  const changed = (base: Json, field: string, value: unknown): Json => {
    const whole = structuredClone(base);
    let parent = whole;
    for (const member of at.slice(0, -1)) parent = parent[member];
    const last = at.at(-1) ?? '';
    parent[last] = isOneOf ? { [field]: value } : { ...parent[last], [field]: value };
    return whole;
  };

  describe(type, () => {
    test.each(cases)('%s', async (field, base, value) => {
      const { first, before } = await outcomeOfBase(row, base);
      const second = newLabel();
      if (root === 'retryOrder') await placeFailing(second);
      const other = changed(base, field, value);
      const after = await outcomeOf(row, await fill(other, second), second);

      expect(after.text).not.toBe(before.text);
      if (!before.isStored || isNoInput.test(field)) return;
      const replay = await outcomeOf(row, await fill(other, first), first);
      expect(replay.isRefused).toBe(true);
    });
  });
}

import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  record,
  subarray,
} from 'fast-check';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { globalId } from '../../../src/kernel/ids.ts';
import { everyTld, startTestGateway } from '../../support/gateway.ts';
import { runs } from '../../support/long.ts';
import { portfolioNames } from './reads.ts';

const gateway = await startTestGateway({
  sandboxDomains: 30,
  sandboxTlds: everyTld,
  env: { MAX_UPSTREAM_CALLS: '1000', SUBGRAPH: 'true' },
});
afterAll(() => gateway.close());

const names = [...portfolioNames(30).slice(0, 7), 'absent.com', 'not-registered.net'];
/** Names with non-ASCII letters; most of these TLDs refuse them, and a bulk reply then omits the name. */
const idnsUnder = (tlds: readonly string[]) => tlds.map((tld) => `größe-straße.${tld}`);
const idns = idnsUnder(['com', 'app', 'dev', 'io', 'co', 'me', 'tv', 'xyz', 'shop', 'online']);
const quoted = (texts: readonly string[]) => JSON.stringify(texts);

const details = subarray(
  [
    'state',
    'authCode',
    'tld { name prices { period } }',
    'contacts { registrant { id } }',
    'contacts { billing { email } technical { ...who } }',
    'tld @include(if: $no) { name }',
  ],
  { minLength: 1 },
).map((fields) => fields.join(' '));
const ids = subarray(
  names.flatMap((name) => [globalId('Domain', name), globalId('Contact', `${name}/billing`)]),
  { maxLength: 6 },
).map((some) => [...some, globalId('Tld', 'com'), globalId('Reseller', 'self')]);
const some = subarray(names, { minLength: 1 });

const field = oneof(
  record({ name: constantFrom(...names), refresh: boolean(), details }).map(
    (one) => `domain(name: "${one.name}", refresh: ${one.refresh}) { ${one.details} }`,
  ),
  record({ some, details }).map(
    (one) => `domainsByName(names: ${quoted(one.some)}) { ${one.details} }`,
  ),
  record({ first: integer({ min: 0, max: 12 }), refresh: boolean(), details }).map(
    (one) =>
      `domains(first: ${one.first}, refresh: ${one.refresh}) { nodes { ${one.details} } edges { node { ${one.details} } } }`,
  ),
  record({ some, refresh: boolean() }).map(
    (one) =>
      `availabilities(names: ${quoted(one.some)}, refresh: ${one.refresh}) { state tld { name } }`,
  ),
  record({ idns: subarray(idns), some: subarray(names), refresh: boolean() }).map(
    (one) =>
      `availabilities(names: ${quoted([...one.idns, ...one.some])}, refresh: ${one.refresh}) { state }`,
  ),
  constantFrom(...names).map((name) => `availability(name: "${name}") { state }`),
  record({ ids, details }).map(
    (one) => `nodes(ids: ${quoted(one.ids)}) { id ...person ... on Domain { ${one.details} } }`,
  ),
  some.map(
    (few) =>
      `_entities(representations: [${few.map((name) => `{ __typename: "Domain", name: "${name}" }`)}]) { ... on Domain { name } }`,
  ),
  constantFrom(
    'domainStats { totalCount renewals(months: 2) { count } }',
    'tlds(first: 2, refresh: true) { totalCount }',
    'tld(name: "com") { name }',
    'reseller { name }',
    'purchases { nodes { domain { name } } }',
    'purchase(by: { key: "none" }) { state domain { state } }',
  ),
);
const fragments =
  'fragment person on Contact { role ...who } fragment who on Contact { email } fragment all on Query { __typename }';

test('no query causes more upstream calls than its cost', { tags: ['R7', 'S3'] }, async () => {
  await assert(
    asyncProperty(array(field, { minLength: 1, maxLength: 5 }), async (fields) => {
      const aliased = fields.map((one, at) => `a${at}: ${one}`).join(' ');
      const used = ['person', 'who'].filter((name) => aliased.includes(`...${name}`));
      const needed = used.includes('person') ? ['person', 'who'] : used;
      const query = `query ($no: Boolean! = false) { ${aliased} x: reseller @include(if: $no) { name } ...all }
        ${fragments
          .split(/(?=fragment )/)
          .filter(
            (one) =>
              one.includes(' all ') || needed.some((name) => one.startsWith(`fragment ${name} `)),
          )
          .join(' ')}`;
      await gateway.resetCalls();

      const { errors, extensions } = await gateway.query(query);

      expect(errors).toBeUndefined();
      const received = (await gateway.upstreamCalls()).length;
      expect(received).toBeLessThanOrEqual(extensions.cost.upstreamCalls);
    }),
    { numRuns: runs(20, 60) },
  );
});

test('a list of names that many TLDs refuse for their letters causes no more calls than its cost', async () => {
  const { data } = await gateway.query('{ tlds(first: 100) { nodes { name } } }');
  const tlds: readonly string[] = data.tlds.nodes.map(({ name }: { name: string }) => name);
  const cold = await startTestGateway({ sandboxDomains: 1, sandboxTlds: everyTld });
  onTestFinished(() => cold.close());
  await cold.resetCalls();

  const result = await cold.query(
    `{ availabilities(names: ${quoted(idnsUnder(tlds))}) { state retryable } }`,
  );

  const calls = (await cold.upstreamCalls()).length;
  expect(calls).toBeLessThanOrEqual(result.extensions.cost.upstreamCalls);
  expect(result.extensions.cost.upstreamCalls).toBe(5);
  const unsure = result.data.availabilities.filter(
    ({ state }: { state: string }) => state === 'UNKNOWN',
  );
  expect(unsure.length).toBeGreaterThan(30);
  expect(unsure.every(({ retryable }: { retryable: boolean }) => retryable)).toBe(true);
});

import { afterAll, describe, expect, test } from 'vitest';
import { actionsWithReply, replyText, requestOf } from '../support/upstream/fixtures.ts';
import { startRawSandbox } from './raw.ts';
import { shapeOf } from './shape.ts';

const { act, close } = await startRawSandbox();
afterAll(close);

/** In order of their dependencies, with names of the sandbox where they differ from the fixture's. */
const requests: readonly (readonly [action: string, adapted: object])[] = [
  ['registerdomain', {}],
  ['getdetails', {}],
  ['getcontacts', {}],
  ['getdomainlist', {}],
  ['resellerdetails', {}],
  ['singlecheckavailability', { domain: 'acme-shop.net' }],
  ['bulkcheckavailability', { domains: ['acme-shop.net', 'acme-shop.com'] }],
  ['transferdomain', { domain: 'outside-acme.com', authCode: 'Transfer-Code-01' }],
  ['modifynameserver', {}],
  ['disabletheftlock', {}],
  // The specification shows the reply `{}`, which this name selects.
  ['modifyprivacystatus', { domain: 'terse-shape.com' }],
  ['syncfromregistry', {}],
  ['tldlist', { count: 1 }],
  ['addchildnameserver', {}],
];

/** Values of some domains only: captured from an upstream, though the specification shows these lists empty. */
const ofSomeDomains = [
  'Additional.TrabisCitizenId: text',
  'Additional.TrabisDomainCategory: text',
  'Additional: object',
  'ChildNameServers.[].ip: list',
  'ChildNameServers.[].ip: text',
  'ChildNameServers.[].ns: text',
  'ChildNameServers.[]: object',
].map((place) => `data.Domains.[].${place}`);

test('every action of the specification has a request', () => {
  expect(requests.map(([action]) => action).sort()).toEqual([...actionsWithReply].sort());
  expect(requests).toHaveLength(14);
});

test('a shape differs where the specification differs', () => {
  const odd = (change: object) =>
    shapeOf({ LockStatus: 'true', Start: '2026-01-31T12:00:00.1', Price: '1.0000', ...change });

  for (const change of [
    { LockStatus: true },
    { Start: '2026-01-31T12:00:00.1Z' },
    { Price: 1 },
    { Price: '1.00' },
    { Price: null },
    { More: 1 },
  ]) {
    expect(odd(change)).not.toEqual(odd({}));
  }
});

describe('the reply of the sandbox has the specified shape', { tags: ['R14'] }, () => {
  test.each(requests)('%s', async (action, adapted) => {
    if (action === 'modifyprivacystatus')
      await act('registerdomain', { ...requestOf('registerdomain'), ...adapted });
    const { status, body } = await act(action, { ...requestOf(action), ...adapted });

    expect(status).toBe(200);
    const more = action === 'getdomainlist' ? ofSomeDomains : [];
    const specified = shapeOf(JSON.parse(replyText(action)));
    expect(shapeOf(body)).toEqual([...specified, ...more].sort());
  });
});

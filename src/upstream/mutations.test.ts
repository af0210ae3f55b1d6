import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/support/long.ts';
import { answering, faultOf, reply } from '../../test/support/upstream/clients.ts';
import { actionsWithReply, replyText } from '../../test/support/upstream/fixtures.ts';
import {
  domainFixtures,
  oddity,
  type Path,
  pathsIn,
  replaceAt,
} from '../../test/support/upstream/odd-bodies.ts';
import { Fault } from '../kernel/faults.ts';
import type { Offers } from './domain-api/availability-shapes.ts';

const mutation = fc.constantFrom(...domainFixtures).chain((fixture) =>
  fc.record({
    fixture: fc.constant(fixture),
    path: fc.constantFrom(...pathsIn(fixture.body)),
    value: oddity,
    status: fc.constantFrom(200, 200, 200, 400, 500),
  }),
);

const isAvailable = (offers: Offers | undefined) =>
  Array.isArray(offers) && offers.some(({ state }) => state === 'AVAILABLE');

describe('a body with any value replaced by any other', () => {
  test('results in a value or a Fault, and no other error', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, async ({ fixture, path, value, status }) => {
        const body = JSON.stringify(replaceAt(fixture.body, path, value)) ?? '';
        try {
          await answering(reply(body, status)).domain(fixture.action);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
          expect((error as Fault).code).not.toBe('INTERNAL');
        }
      }),
      { numRuns: runs(500, 2_000) },
    );
  });

  test('truncated anywhere results in a value or a Fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...domainFixtures),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (fixture, part) => {
          const text = JSON.stringify(fixture.body);
          const body = text.slice(0, Math.floor(text.length * part));
          if (body.length === text.length) return;
          expect(await faultOf(answering(reply(body)).domain(fixture.action))).toBeInstanceOf(
            Fault,
          );
        },
      ),
      { numRuns: runs(100, 300) },
    );
  });

  test('never turns an error into AVAILABLE', async () => {
    const errors = domainFixtures.filter(({ name }) => name.includes('.error-'));
    const entries = [
      ...errors.map(({ body }) => body),
      { status: 'error', message: 'no' },
      [],
      {
        result: 'ERROR',
        error: { Code: 'API_400_ERROR', Message: 'available', Details: 'available' },
      },
    ];
    const errorMutation = fc
      .constantFrom(...entries)
      .chain((entry) =>
        fc.tuple(
          fc.constant(entry),
          fc.constantFrom(...pathsIn(entry).filter(({ length }) => length > 0), []),
          oddity,
        ),
      );
    await fc.assert(
      fc.asyncProperty(
        errorMutation,
        fc.constantFrom(200, 400),
        async ([entry, path, value], status) => {
          const mutated = path.length === 0 ? entry : replaceAt(entry, path, value);
          const bulk = JSON.stringify({ status: 'success', availability: { 'a.com': mutated } });
          const single = JSON.stringify(mutated);

          const asked = await answering(reply(bulk))
            .domainApi.bulkcheckavailability({ domains: ['a.com'] }, {})
            .catch(() => new Map<string, Offers>());
          const alone = await answering(reply(single, status))
            .domainApi.singlecheckavailability({ domain: 'a.com' }, {})
            .catch(() => []);

          expect(isAvailable(asked.get('a.com'))).toBe(false);
          expect(isAvailable(alone)).toBe(false);
        },
      ),
      { numRuns: runs(250, 1_000) },
    );
  });
});

/** Every path of a decoded value at which there is a Fault. */
function faultsIn(value: unknown, path = ''): readonly string[] {
  if (value instanceof Fault) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => faultsIn(one, `${path}.${key}`));
}

test('a wrong type in one field of the details costs that field only', async () => {
  const wrong = { is: ['not', 'this'] };
  const costs: Record<string, readonly string[]> = {};
  const fixture = domainFixtures.find(({ name }) => name === 'getdetails');
  for (const path of pathsIn(fixture?.body).filter((one) => one[0] === 'data' && one.length > 1)) {
    const body = JSON.stringify(replaceAt(fixture?.body, path, wrong));
    costs[path.slice(1).join('.')] = faultsIn(await answering(reply(body)).domain('getdetails'));
  }

  expect(costs).toMatchObject({
    ID: ['.upstreamId'],
    Status: ['.status'],
    DomainName: [],
    AuthCode: ['.authCode'],
    LockStatus: ['.transferLocked'],
    'Dates.Expiration': ['.expiresAt'],
    'Contacts.Billing.ID': ['.contactIds.billing'],
    'Contacts.Technical': [],
    NameServers: ['.nameServers'],
    'NameServers.0': [],
    ChildNameServers: ['.childNameServers'],
  });
  const several = Object.entries(costs).filter(([, faults]) => faults.length > 1);
  expect(several).toEqual([]);
});

const isLeaf = (value: unknown, path: Path): boolean => {
  const found = path.reduce<unknown>(
    (at, key) => (at as Record<string | number, unknown>)[key],
    value,
  );
  return typeof found !== 'object' || found === null;
};

const buys: ReadonlySet<string> = new Set(['registerdomain', 'transferdomain']);

test.each(actionsWithReply)(
  'no wrong field below the success mark of %s fails the whole reply',
  async (action) => {
    const body: unknown = JSON.parse(replyText(action));
    const below = pathsIn(body)
      .filter((path) => path.length > 1 && isLeaf(body, path))
      // The name and the status of a purchase show what the reply is about, and whether it is a success.
      .filter((path) => !(buys.has(action) && /^(?:DomainName|Status)$/.test(String(path.at(-1)))));

    for (const path of below) {
      for (const wrong of [{ is: ['not', 'this'] }, ['x'], true, 1.5, null]) {
        const mutated = JSON.stringify(replaceAt(body, path, wrong));
        await answering(reply(mutated)).domain(action);
      }
    }
  },
);

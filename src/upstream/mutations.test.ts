import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../test/support/long.ts';
import { answering, reply } from '../../test/support/upstream/clients.ts';
import { actionsWithReply, replyText } from '../../test/support/upstream/fixtures.ts';
import {
  domainFixtures,
  oddity,
  type Path,
  pathsIn,
  replaceAt,
} from '../../test/support/upstream/odd-bodies.ts';
import type { Offers } from './domain-api/availability-shapes.ts';

const isAvailable = (offers: Offers | undefined) =>
  Array.isArray(offers) && offers.some(({ state }) => state === 'AVAILABLE');

test('an error with any value replaced by any other is never AVAILABLE', async () => {
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

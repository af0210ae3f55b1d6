import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/support/long.ts';
import { answering, reply } from '../../test/support/upstream/clients.ts';
import { actionsWithReply } from '../../test/support/upstream/fixtures.ts';
import { type OddReply, oddReply } from '../../test/support/upstream/odd-bodies.ts';
import { Fault } from '../kernel/faults.ts';
import { errorCodes } from './wire/error-codes.ts';

/** What the client makes of it: a value, or the fault; anything else that is thrown fails the test. */
async function read({ action, status, body }: OddReply) {
  try {
    return { value: await answering(reply(body, status)).domain(action), fault: null };
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return { value: null, fault: error as Fault };
  }
}

const succeeded = (status: number) => status >= 200 && status < 300;

test('every malformed reply results in a value or an upstream fault', async () => {
  await fc.assert(
    fc.asyncProperty(oddReply(...actionsWithReply), async (odd) => {
      const { fault } = await read(odd);

      expect(fault?.code).not.toBe('INTERNAL');
      expect(JSON.stringify(fault?.message ?? '').length).toBeLessThan(1_000);
    }),
    { numRuns: runs(300, 2_000) },
  );
});

describe('a purchase with a malformed reply', () => {
  const purchases = oddReply('registerdomain', 'transferdomain');

  /** Every code that the text holds, spelt as in the list of codes. */
  const codesIn = (text: string): readonly string[] =>
    [...text.matchAll(/\\*"Code\\*"\s*:\s*(?:\\*"([^"\\]*)|(-?\d+))/g)].map(
      ([, words = '', digits = '']) => {
        const code = (words || digits).trim().toUpperCase();
        return /^\d{1,4}$/.test(code) ? `API_${code}_ERROR` : code;
      },
    );
  const isRefusal = (code: string) => errorCodes.get(code)?.executed === 'NO';

  test('is never reported as not executed, unless its body has a listed refusal and its status is below 500', {
    tags: ['R11'],
  }, async () => {
    const counts = { refused: 0, uncertain: 0 };
    await fc.assert(
      fc.asyncProperty(purchases, async (odd) => {
        const { fault } = await read(odd);
        if (fault?.executed !== 'NO') {
          counts.uncertain += fault ? 1 : 0;
          return;
        }
        counts.refused += 1;
        expect(odd.status).toBeLessThan(500);
        expect(codesIn(odd.body).some(isRefusal)).toBe(true);
      }),
      { numRuns: runs(600, 4_000) },
    );
    expect(counts.refused).toBeGreaterThan(runs(10, 100));
    expect(counts.uncertain).toBeGreaterThan(runs(150, 1_000));
  });

  test('is never reported as bought, unless both body and status are a success', {
    tags: ['I3'],
  }, async () => {
    let bought = 0;
    await fc.assert(
      fc.asyncProperty(purchases, async (odd) => {
        const { fault } = await read(odd);
        if (fault) return;
        bought += 1;
        expect(succeeded(odd.status)).toBe(true);
        expect(odd.body).toMatch(/"result\\*"\s*:\s*\\*"\s*OK\s*\\*"/i);
      }),
      { numRuns: runs(600, 4_000) },
    );
    expect(bought).toBeGreaterThan(runs(10, 100));
  });
});

describe('an availability check with a malformed reply', () => {
  const saysAvailable = (entry: unknown): boolean =>
    Array.isArray(entry) &&
    entry.some(
      (offer) =>
        typeof offer?.Status === 'string' &&
        offer.Status.toLowerCase().replace(/[\s_-]/g, '') === 'available',
    );
  const isAvailable = (offers: unknown): boolean =>
    Array.isArray(offers) && offers.some(({ state }) => state === 'AVAILABLE');

  test('is AVAILABLE in a bulk reply only if the entry of that name is', async () => {
    let available = 0;
    await fc.assert(
      fc.asyncProperty(oddReply('bulkcheckavailability'), async (odd) => {
        const { value } = await read(odd);
        const sent = (odd.value as { availability?: Record<string, unknown> } | null)?.availability;
        for (const [name, offers] of (value ?? []) as ReadonlyMap<string, unknown>) {
          if (!isAvailable(offers)) continue;
          available += 1;
          const entries = Object.entries(sent ?? {}).filter(
            ([key]) => key.trim().toLowerCase() === name,
          );
          expect(entries.some(([, entry]) => saysAvailable(entry))).toBe(true);
        }
      }),
      { numRuns: runs(400, 3_000) },
    );
    expect(available).toBeGreaterThan(0);
  });

  test('is AVAILABLE alone only if an offer is', async () => {
    let available = 0;
    await fc.assert(
      fc.asyncProperty(oddReply('singlecheckavailability'), async (odd) => {
        const { value } = await read(odd);
        if (!isAvailable(value)) return;
        available += 1;
        expect(saysAvailable(odd.value)).toBe(true);
      }),
      { numRuns: runs(600, 2_000) },
    );
    expect(available).toBeGreaterThan(0);
  });
});

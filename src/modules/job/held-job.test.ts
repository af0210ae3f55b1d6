import { expect, test } from 'vitest';
import { Decimal } from '../../kernel/money.ts';
import { toStoredJson } from '../../kernel/stored-json.ts';
import { verdictOf } from './held-job.ts';
import type { Holds } from './holds.ts';

const verdict = (by: string, highestRise: Decimal | null): Pick<Holds, 'by' | 'verdict'> => ({
  by,
  verdict: async () => ({
    ...{ refusal: null, cost: null, decidedAt: null, costRose: null, highestRise },
    waitsForFunds: false,
  }),
});
const jobOf = (...names: readonly string[]) => ({
  id: 'job',
  options: toStoredJson({ heldInputs: Object.fromEntries(names.map((name) => [name, ''])) }),
});

test('the cost of a job that two features hold may rise only where both allow it', async () => {
  const rise = Decimal.parse('1.2');
  const holds = [verdict('approval', null), verdict('payment', rise)];

  expect((await verdictOf({ holds }, jobOf('payment'))).highestRise).toBe(rise);
  expect((await verdictOf({ holds }, jobOf('approval', 'payment'))).highestRise).toBeNull();
  expect((await verdictOf({ holds }, jobOf())).highestRise).toBeNull();
});

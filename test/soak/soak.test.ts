import { expect, test } from 'vitest';
import { whyNotShort } from '../support/long.ts';
import { soak } from './soak.ts';
import { type Sample, trendsOf } from './verdict.ts';

const seconds = 120;

test.skipIf(whyNotShort)(
  'a mixed load leaks no memory, socket or timer and breaks no promise',
  {
    timeout: seconds * 1_000 + 240_000,
  },
  async () => {
    const { samples, trends, tally, broken, exitCode } = await soak({ seconds, everySeconds: 1 });

    expect(broken).toEqual([]);
    expect(trends.filter(({ isFlat }) => !isFlat)).toEqual([]);
    expect(samples.length).toBeGreaterThan(1);
    expect(tally.requests).toBeGreaterThan(20);
    expect(exitCode).toBe(0);
  },
);

test.each(['heap', 'resident', 'sockets', 'timers'] as const)('a leak of %s is detected', (of) => {
  const plain = { heap: 80e6, resident: 150e6, sockets: 40, timers: 30 };
  const samples: readonly Sample[] = Array.from({ length: 40 }, (_, at) => ({
    ...plain,
    [of]: plain[of] * (1 + at / 20),
    atSeconds: at,
  }));

  expect(trendsOf(samples).flatMap((one) => (one.isFlat ? [] : [one.of]))).toEqual([of]);
});

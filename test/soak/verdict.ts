import type { Held } from './inspected.ts';

export interface Sample extends Held {
  readonly atSeconds: number;
}

const mebibyte = 1024 * 1024;

/** Allowed growth between the first and the last samples. */
const slack = {
  heap: { share: 0.1, plus: 8 * mebibyte },
  resident: { share: 0.15, plus: 32 * mebibyte },
  sockets: { share: 0.1, plus: 16 },
  timers: { share: 0.1, plus: 16 },
} as const satisfies Record<keyof Held, object>;

export interface Trend {
  readonly of: keyof Held;
  /** Medians of the first and of the last third of the samples after the warm-up. */
  readonly from: number;
  readonly to: number;
  readonly isFlat: boolean;
}

/** Whether the samples stay constant. The first quarter is warm-up: caches fill, code is compiled. */
export function trendsOf(samples: readonly Sample[]): readonly Trend[] {
  const warm = samples.slice(Math.floor(samples.length / 4));
  const third = Math.max(1, Math.floor(warm.length / 3));
  return (Object.keys(slack) as (keyof Held)[]).map((of) => {
    const values = warm.map((sample) => sample[of]);
    const from = median(values.slice(0, third));
    const to = median(values.slice(-third));
    const { share, plus } = slack[of];
    return { of, from, to, isFlat: to <= from * (1 + share) + plus };
  });
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const inWords = ({ of, from, to, isFlat }: Trend): string => {
  const shown = (value: number) =>
    of === 'heap' || of === 'resident' ? `${(value / mebibyte).toFixed(1)} MiB` : String(value);
  return `${of.padEnd(9)} ${shown(from)} -> ${shown(to)}  ${isFlat ? 'flat' : 'GROWS'}`;
};

/** The middle of the values; the mean of the two middle ones where their number is even; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[Math.floor(middle)],
    sorted[Math.ceil(middle)],
  ];
  return (low + high) / 2;
}

/** The least value that the share (0 to 1) of all values does not exceed; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** A line with the median, the 99th percentile and the greatest of some durations in milliseconds. */
export function spanLine(what: string, spans: readonly number[]): string {
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) =>
    quantile(spans, share).toFixed(2).padStart(8),
  );
  return `  ${what.padEnd(42)} p50${p50} ms   p99${p99} ms   most${most} ms   of ${spans.length}`;
}

/** Ratios of two servers that took turns: the median, the least and the greatest. */
export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Divides the figures of the same turn, because the machine differs more between turns than within one. */
export function ratioOf(figures: readonly number[], others: readonly number[]): Ratio {
  const ratios = figures.map((figure, turn) => figure / (others[turn] ?? Number.NaN));
  return { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}

/** Whether the turns disagree on which of the two figures is greater. */
export const isWithinNoise = ({ low, high }: Ratio): boolean => low <= 1 && high >= 1;

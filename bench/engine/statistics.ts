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

/** How far apart the values are, as a share of their median. */
export const spread = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / median(values);

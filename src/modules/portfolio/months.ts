/** The calendar month in UTC: `2026-11`. */
export const monthText = (date: Date): string =>
  `${String(date.getUTCFullYear()).padStart(4, '0')}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;

/** So many months from that of a date on, in their order. */
export const monthsFrom = (date: Date, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) =>
    monthText(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + at))),
  );

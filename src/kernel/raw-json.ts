/** `lib.es2024` does not know these two yet; Node 24 does. */
const json = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
};

/** Digits that `JSON.stringify` writes as a number just as they stand, so that none is lost. */
export const rawJson = (digits: string): unknown => json.rawJSON(digits);

export const isRawJson = (value: unknown): boolean => json.isRawJSON(value);

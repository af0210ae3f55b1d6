declare global {
  /** What `lib.es2024` does not know yet; Node 24 does. */
  interface JSON {
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
  }
}

/** Digits that `JSON.stringify` writes as a number just as they stand, so that none is lost. */
export const rawJson = (digits: string): unknown => JSON.rawJSON(digits);

export const isRawJson = (value: unknown): boolean => JSON.isRawJSON(value);

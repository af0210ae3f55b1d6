declare global {
  /** Available in Node 24, and not yet in `lib.es2024`. */
  interface JSON {
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
  }
}

/** A JSON number that `JSON.stringify` writes with exactly these digits. */
export const rawJson = (digits: string): unknown => JSON.rawJSON(digits);

export const isRawJson = (value: unknown): boolean => JSON.isRawJSON(value);

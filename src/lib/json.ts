import { resultOr } from './result-or.ts';

/** The value of a JSON text; undefined for text that is not JSON. */
export const parseJson = (text: string): unknown => resultOr(() => JSON.parse(text), undefined);

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

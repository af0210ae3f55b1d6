import { resultOr } from './result-or.ts';

/** The value of a JSON text; undefined for text that is not JSON. */
export const parseJson = (text: string): unknown => resultOr(() => JSON.parse(text), undefined);

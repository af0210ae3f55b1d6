import type { Reply } from './http.ts';

/** A call of one of the two surfaces, understood but not yet done. */
export interface Call {
  /** `getdetails`, or `POST /carts` on the Account API. */
  readonly action: string;
  /** The one name it is about, as it was sent. */
  readonly domain?: string;
  /** The names of a bulk check. */
  readonly domains?: readonly string[];
  readonly username?: string;
  /** Whether doing it changes anything. */
  readonly writes: boolean;
  /** Does it, in no more than one transaction. Never throws a refusal: that is a reply too. */
  readonly run: () => Reply;
  /** A failure of the surface, in its own envelope. `code` is an `API_…` code, or its number. */
  readonly failure: (code: string) => Reply;
}

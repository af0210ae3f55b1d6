/** What the server tells the page, as JSON in its element `#options`. */
export interface PageOptions {
  /** Path of the graph. */
  readonly graph: string;
  /** Says whether a click can cost money; what the page keeps in the browser is kept apart by it. */
  readonly surroundings: 'sandbox' | 'live';
  /** The tabs of a first visit. */
  readonly tabs: readonly { readonly query: string }[];
}

export const readPageOptions = (): PageOptions =>
  JSON.parse(document.querySelector('#options')?.textContent ?? '{}');

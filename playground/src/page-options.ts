/** Options of the page: JSON in its element `#options`. */
export interface PageOptions {
  /** Path of the graph. */
  readonly graph: string;
  /** Whether a purchase costs money. The page stores its state separately for each environment. */
  readonly environment: 'sandbox' | 'live';
  /** The tabs of a first visit. */
  readonly tabs: readonly { readonly query: string }[];
}

export const readPageOptions = (): PageOptions =>
  JSON.parse(document.querySelector('#options')?.textContent ?? '{}');

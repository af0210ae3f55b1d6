import type { Caller } from './caller.ts';

/** Neither customers nor keys have it. */
const afterCustomer = '\u001f';

/** The key in the journal, where callers that are bound to different customers have keys of their own. */
export const storedKey = ({ customer }: Pick<Caller, 'customer'>, key: string): string =>
  customer === null ? key : `${customer}${afterCustomer}${key}`;

/** The key as its client knows it. */
export const shownKey = (stored: string): string => stored.slice(stored.indexOf(afterCustomer) + 1);

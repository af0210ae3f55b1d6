import type { DomainFilter } from './documents.ts';
import { isState, states } from './states.ts';

/** What the form has; an empty text filters nothing. */
export interface Filters {
  readonly text: string;
  readonly tld: string;
  readonly state: string;
  /** `soon`, or a month such as `2026-11`; no other text. */
  readonly expiry: string;
  /** The staff's choice; a customer sees its own domains only. */
  readonly customer: string;
  readonly order: 'NAME' | 'EXPIRES_AT';
}

export const noFilters: Filters = {
  ...{ text: '', tld: '', state: '', expiry: '', customer: '' },
  order: 'NAME',
};

export const soonDays = 30;

export const filtersOf = (parameters: URLSearchParams): Filters => ({
  text: parameters.get('text') ?? '',
  tld: parameters.get('tld') ?? '',
  state: parameters.get('state') ?? '',
  expiry: /^(?:soon|\d{4}-(?:0[1-9]|1[0-2]))$/.exec(parameters.get('expiry') ?? '')?.[0] ?? '',
  customer: parameters.get('customer') ?? '',
  order: parameters.get('order') === 'EXPIRES_AT' ? 'EXPIRES_AT' : 'NAME',
});

/** As the graph has it, at the time `now`. */
export function filterOf({ text, tld, state, expiry, customer }: Filters, now: Date): DomainFilter {
  const ofExpiry = expiryFilterOf(expiry, now);
  return {
    ...ofExpiry,
    ...(text && { contains: text }),
    ...(tld && { tlds: [tld] }),
    ...(isState(state) && { states: [state] }),
    ...(customer && { customer }),
  };
}

function expiryFilterOf(expiry: string, now: Date): DomainFilter {
  if (expiry === 'soon') {
    const end = new Date(now);
    end.setUTCDate(end.getUTCDate() + soonDays);
    return between(now, end);
  }
  if (expiry === '') return {};
  const month = new Date(`${expiry}-01T00:00:00Z`);
  const next = new Date(month);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return between(month, next);
}

/** The domains that can be renewed and expire in a time; the graph counts the same domains as renewals. */
const between = (start: Date, end: Date): DomainFilter => ({
  expires: { from: start.toISOString(), until: end.toISOString() },
  states: renewable,
});

const renewable = Object.keys(states)
  .filter(isState)
  .filter(
    (state) => !['DELETED', 'REDEMPTION', 'TRANSFER_FAILED', 'TRANSFERRED_OUT'].includes(state),
  );

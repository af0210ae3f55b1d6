import type { DomainRow } from './documents.ts';

type Expiring = Pick<DomainRow, 'expiresAt' | 'remainingDays'>;

export type Urgency = 'past' | 'soon' | 'near' | 'far' | 'none';

/** How pressing the end of a registration is: past, within 30 days, within 90, later; none without a date. */
export function urgencyOf({ expiresAt, remainingDays }: Expiring): Urgency {
  if (!expiresAt) return 'none';
  if (new Date(expiresAt) < new Date()) return 'past';
  const days = remainingDays ?? Number.POSITIVE_INFINITY;
  if (days <= 30) return 'soon';
  return days <= 90 ? 'near' : 'far';
}

const dateFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

export const dateText = (instant: string): string => dateFormat.format(new Date(instant));

export function daysText(row: Expiring): string {
  const urgency = urgencyOf(row);
  if (urgency === 'none') return '';
  if (urgency === 'past') return 'expired';
  return row.remainingDays === 1 ? '1 day left' : `${row.remainingDays} days left`;
}

const monthFormat = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
const longMonthFormat = new Intl.DateTimeFormat('en', {
  ...{ month: 'long', year: 'numeric' },
  timeZone: 'UTC',
});

/** The month of a time, such as `2026-11`. */
export const monthOf = (time: string): string => time.slice(0, 7);

const startOf = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** `Nov` for `2026-11`. */
export const monthText = (month: string): string => monthFormat.format(startOf(month));

/** `November 2026` for `2026-11`. */
export const longMonthText = (month: string): string => longMonthFormat.format(startOf(month));

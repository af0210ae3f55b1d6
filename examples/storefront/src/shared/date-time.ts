const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** An instant in ISO 8601 as the local date and time. */
export const dateTimeText = (instant: string): string => format.format(new Date(instant));

import { type ShownEvent, testType } from '../webhook/format.ts';

/** Longest text of a value, in characters. */
const maxLength = 200;

/** A text on one line. */
function shown(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
}

/** `NAME_SERVERS_CHANGED` as `Name servers changed`. */
const titleOf = (type: string): string =>
  type.charAt(0) + type.slice(1).toLowerCase().replaceAll('_', ' ');

/** The sentence of an event for people, on one line without markup. */
export function lineOf({ type, subject, customer, before, after }: ShownEvent): string {
  if (type === testType) return 'Test message: events arrive here.';
  const unit = type === 'EXPIRING' ? ' days left' : '';
  const values = [before, after].flatMap((text) => (text ? [`${shown(text)}${unit}`] : []));
  const change = values.length > 0 ? ` (${values.join(' → ')})` : '';
  return `${titleOf(type)}: ${shown(subject)}${change}${customer ? `, customer ${shown(customer)}` : ''}`;
}

import { dateText } from '../portfolio/expiry.ts';

/** The fields of `Domain` that a synchronisation compares. */
const fields: Readonly<Record<string, string>> = {
  status: 'Status',
  state: 'State',
  registeredAt: 'Registered',
  expiresAt: 'Expires',
  transferLocked: 'Transfer lock',
  privacyProtected: 'Privacy',
  nameServers: 'Name servers',
};

export const fieldText = (field: string): string => fields[field] ?? field;

const flags: Readonly<Record<string, string>> = { true: 'on', false: 'off' };

/** A value of a change as a person reads it. */
export function valueText(value: string | null): string {
  if (value === null || value === '') return 'none';
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return dateText(value);
  // Name servers are separated by blanks.
  if (/^\S+\.\S+(?: \S+\.\S+)+$/.test(value)) return value.replaceAll(' ', ', ');
  return flags[value] ?? value;
}

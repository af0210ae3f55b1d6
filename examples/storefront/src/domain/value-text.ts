import { dateText } from '../portfolio/expiry.ts';
import { states } from '../portfolio/states.ts';
import type { ChangedValue } from './documents.ts';

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

/** A value of a change as a person reads it. */
export function valueText(value: ChangedValue | null): string {
  if (!value || value.text === '') return 'none';
  const { text, state, nameServers } = value;
  if (state) return states[state].word;
  const date = value.expiresAt ?? value.registeredAt;
  if (date) return dateText(date);
  const flag = value.transferLocked ?? value.privacyProtected;
  if (flag !== null) return flag ? 'on' : 'off';
  return nameServers ? nameServers.join(', ') : text;
}

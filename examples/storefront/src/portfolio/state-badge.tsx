import { Badge } from '../shared/badge.tsx';
import type { DomainRow } from './documents.ts';
import { states } from './states.ts';

/** The state of a domain in a word; for a state without one the registrar's status. */
export function StateBadge({ row }: { readonly row: Pick<DomainRow, 'state' | 'status'> }) {
  const { state, status } = row;
  const { tone, word } = states[state];
  const isUnclear = state === 'UNKNOWN' || state === 'OTHER';
  return <Badge tone={tone}>{isUnclear && status ? spaced(status) : word}</Badge>;
}

/** `Synchronization blocked` for the raw status `SynchronizationBlocked`. */
const spaced = (status: string): string =>
  status.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

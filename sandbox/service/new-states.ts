import { dayMs } from '../../src/kernel/instant.ts';
import type { NewDomain } from './domain-store.ts';
import { withoutFaultPrefix } from './faults.ts';
import { addYears, nextChange, registrationMs } from './life-cycle.ts';

interface NewState {
  readonly status: string;
  /** Negative once expired. Absent: as the period says. */
  readonly expiresInDays?: number;
}

/** The states in which a domain can be created. The label of a registration selects one by its beginning: `expiring-…`. */
export const newStates = {
  active: { status: 'Active' },
  expiring: { status: 'Active', expiresInDays: 3 },
  grace: { status: 'Active', expiresInDays: -10 },
  hold: { status: 'PendingHold', expiresInDays: -35 },
  redemption: { status: 'PendingDelete', expiresInDays: -50 },
  async: { status: 'WaitingForRegistration' },
} as const satisfies Record<string, NewState>;

const prefix = new RegExp(`^(${Object.keys(newStates).join('|')})-.`);

const stateOfLabel = (label: string): NewState =>
  newStates[(prefix.exec(withoutFaultPrefix(label))?.[1] ?? 'active') as keyof typeof newStates];

/** A quarter of a day less, so that "3 days left" stays true for the length of a demo. */
export const expiryIn = (days: number, nowMs: number): number => nowMs + (days - 0.25) * dayMs;

/** When the state of a domain that is created now ends; null for never. */
export const endOfNew = (name: string, status: string, expiresAt: number, nowMs: number) =>
  status === 'WaitingForRegistration'
    ? nowMs + registrationMs
    : nextChange(name, status, expiresAt);

/** Status and dates of a domain that is registered now. */
export function registeredAs(
  { name, label }: { readonly name: string; readonly label: string },
  nowMs: number,
  years: number,
): Pick<NewDomain, 'status' | 'startAt' | 'expiresAt' | 'nextAt'> {
  const { status, expiresInDays } = stateOfLabel(label);
  const isOld = expiresInDays !== undefined;
  const expiresAt = isOld ? expiryIn(expiresInDays, nowMs) : addYears(nowMs, years);
  const startAt = isOld ? addYears(expiresAt, -1) : nowMs;
  return { status, startAt, expiresAt, nextAt: endOfNew(name, status, expiresAt, nowMs) };
}

import type { Call } from './call.ts';
import { type FaultName, faultOfName } from './fault-names.ts';

/** A fault to play on one call. */
export interface Fault {
  readonly fault: FaultName;
  /** How long it takes, for those that take time. */
  readonly ms?: number | undefined;
  /** The error code of the fault `code`. */
  readonly code?: string | undefined;
  /** The HTTP status of the fault `code`; by default that of a refusal. */
  readonly status?: number | undefined;
}

/** A fault that waits for its call. Without `action` or `domain` it takes any. */
export interface ArmedFault extends Fault {
  readonly action?: string | undefined;
  readonly domain?: string | undefined;
  /** How many calls it still lets pass before. */
  after: number;
  /** How many calls it still applies to. */
  times: number;
}

/** The faults that only make sense once something was done: reads pass them by, so that the truth can be found. */
const writesOnly: ReadonlySet<FaultName> = new Set(['lost-answer', 'late']);

/**
 * Faults of a name in a bulk check that spoil the whole call, worst first; the call meets the worst of its names.
 * All other faults spoil the entry of their name alone.
 */
const wholeBulk: readonly FaultName[] = ['hang', 'reset', 'cut', 'drip', 'slow', 'html'];

/** Which fault, if any, meets a call: first what was asked for by admin, then what the name itself asks for. */
export interface ArmedFaults {
  arm(fault: ArmedFault): void;
  list(): readonly ArmedFault[];
  clear(): void;
  take(call: Call): Fault | null;
}

export function createArmedFaults(): ArmedFaults {
  let armed: ArmedFault[] = [];

  const takeArmed = (call: Call): Fault | undefined => {
    const fitting = armed.filter((one) => meets(one, call));
    const found = fitting.find(({ after }) => after === 0);
    for (const one of fitting) if (one.after > 0) one.after -= 1;
    if (!found) return undefined;
    found.times -= 1;
    if (found.times <= 0) armed = armed.filter((one) => one !== found);
    return found;
  };

  return {
    arm: (fault) => void armed.push({ ...fault }),
    list: () => armed,
    clear: () => {
      armed = [];
    },
    take: (call) => takeArmed(call) ?? faultByName(call),
  };
}

function meets({ fault, action, domain }: ArmedFault, call: Call): boolean {
  if (writesOnly.has(fault) && !call.writes) return false;
  if (action !== undefined && action !== call.action) return false;
  return domain === undefined || domain === call.domain || call.domains?.includes(domain) === true;
}

function faultByName(call: Call): Fault | null {
  if (call.domain !== undefined) {
    const fault = faultOfName(call.domain);
    return fault && !(writesOnly.has(fault) && !call.writes) ? { fault } : null;
  }
  const ofNames = new Set((call.domains ?? []).map(faultOfName));
  const worst = wholeBulk.find((fault) => ofNames.has(fault));
  return worst ? { fault: worst } : null;
}

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

/** A fault for a later call. Without `action` or `domain` it applies to any call. */
export interface ArmedFault extends Fault {
  readonly action?: string | undefined;
  readonly domain?: string | undefined;
  /** Number of matching calls that are skipped first. */
  after: number;
  /** Number of calls that it still applies to. */
  times: number;
}

/** Faults that apply to writes only, so that reads can verify the outcome. */
const writesOnly: ReadonlySet<FaultName> = new Set(['lost-answer', 'late']);

/**
 * Faults of one name that affect a whole bulk check, worst first; the worst one of its names applies.
 * Other faults affect only the entry of their name.
 */
const wholeBulk: readonly FaultName[] = ['hang', 'reset', 'cut', 'drip', 'slow', 'html'];

/** Chooses the fault of a call: one that was armed through the admin API, else the one that its name selects. */
export interface ArmedFaults {
  arm(fault: ArmedFault): void;
  list(): readonly ArmedFault[];
  clear(): void;
  take(call: Call): Fault | null;
}

export function createArmedFaults(): ArmedFaults {
  let armed: ArmedFault[] = [];

  const takeArmed = (call: Call): Fault | undefined => {
    const matching = armed.filter((one) => matches(one, call));
    const found = matching.find(({ after }) => after === 0);
    for (const one of matching) if (one.after > 0) one.after -= 1;
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

function matches({ fault, action, domain }: ArmedFault, call: Call): boolean {
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

import type { CallBudget } from '../../kernel/call-budget.ts';
import { Fault, type FaultCode } from '../../kernel/faults.ts';
import type { ItemPace } from '../../kernel/item-pace.ts';
import type { CallOptions } from '../operation.ts';
import type { Offers } from './availability-shapes.ts';

/** What the upstream says of names by name: offers or the fault of that name; undefined where it is silent. */
export type OffersByName = ReadonlyMap<string, Offers | undefined>;

/** How long a call that may be halved has, on top of twice the time that its names are expected to take. */
const graceMs = 1_000;
/** How long a name has that is checked alone because its list was lost. */
const singleMs = 4_000;
/** A list is halved so often at most. */
const mostHalvings = 16;
/** While nothing at all was answered a list is halved so often, and then given all the time that it may take. */
const mostBlindLevels = 2;

/** Failures of the way there and back, which one name of several may have caused. */
const lost: ReadonlySet<FaultCode> = new Set([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_PROTOCOL',
]);

export interface HalvedChecksOptions {
  /** One check of the names. @throws Fault when it fails as a whole. */
  readonly check: (names: readonly string[], options: CallOptions) => Promise<OffersByName>;
  readonly pace: Pick<ItemPace, 'expectedMs'>;
}

interface Part {
  readonly names: readonly string[];
  /** Whether the call has all the time that such a call may take. */
  readonly isPatient: boolean;
}

interface Outcome {
  readonly part: Part;
  /** Null when the call failed. */
  readonly answers: OffersByName | null;
  /** Null when it was answered. */
  readonly fault: Fault | null;
  /** False for a call that failed while it waited for its turn. */
  readonly wasSent: boolean;
}

/**
 * Checks names in one call, and halves a call that is lost while the request has spare calls: one name that makes its call
 * hang or break costs only itself. Halving replaces the repetition of the call.
 *
 * Level by level, so that a list is halved further only while some part of it is answered.
 *
 * @throws Fault of the one call when that was not lost or cannot be halved.
 */
export function createHalvedChecks({ check, pace }: HalvedChecksOptions) {
  async function checkPart(part: Part, options: CallOptions): Promise<Outcome> {
    const { names, isPatient } = part;
    const shortMs = names.length === 1 ? singleMs : graceMs + 2 * pace.expectedMs(names.length);
    let wasSent = false;
    try {
      const answers = await check(names, {
        ...options,
        once: true,
        ...(!isPatient && { withinMs: Math.round(shortMs) }),
        onCall(call) {
          wasSent = true;
          options.onCall?.(call);
        },
      });
      return { part, answers, fault: null, wasSent };
    } catch (fault) {
      if (fault instanceof Fault) return { part, answers: null, fault, wasSent };
      throw fault;
    }
  }

  return async (names: readonly string[], options: CallOptions): Promise<OffersByName> => {
    const { budget } = options;
    if (names.length === 1 || (budget?.spare ?? 2) < 2) return check(names, options);

    const answers = new Map<string, Offers | undefined>();
    let halvings = 0;
    let isAnswered = false;
    let parts: readonly Part[] = [{ names, isPatient: false }];
    for (let level = 0; parts.length > 0; level += 1) {
      const outcomes = await Promise.all(parts.map((part) => checkPart(part, options)));
      for (const { answers: found } of outcomes) {
        for (const [name, offers] of found ?? []) answers.set(name, offers);
        isAnswered ||= found !== null;
      }
      const isLastTry = !isAnswered && level + 1 >= mostBlindLevels;
      const next: Part[] = [];
      for (const { part, fault, wasSent } of outcomes) {
        if (fault === null) continue;
        const isLost = lost.has(fault.code) && fault.retryable;
        if (level === 0 && !isLost) throw fault;
        const mayHalve = wasSent && part.names.length > 1 && (isAnswered || !part.isPatient);
        if (isLost && mayHalve && halvings < mostHalvings && takeTwo(budget)) {
          halvings += 1;
          next.push(...halvesOf(part.names).map((half) => ({ names: half, isPatient: isLastTry })));
        } else if (isLost && !part.isPatient && (mayHalve || !wasSent)) {
          next.push({ ...part, isPatient: true });
        } else {
          for (const name of part.names) answers.set(name, fault);
        }
      }
      parts = next;
    }
    return answers;
  };
}

const takeTwo = (budget: CallBudget | undefined): boolean =>
  !budget || (budget.takeSpare() && budget.takeSpare());

function halvesOf(names: readonly string[]): readonly (readonly string[])[] {
  const middle = Math.ceil(names.length / 2);
  return [names.slice(0, middle), names.slice(middle)];
}

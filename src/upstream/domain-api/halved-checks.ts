import { asFault, Fault } from '../../kernel/faults.ts';
import type { CallBudget } from '../../kernel/upstream-calls.ts';
import type { ThroughputEstimate } from '../../lib/throughput-estimate.ts';
import type { CallOptions } from '../client/operation.ts';
import { transportFaults } from '../policies/retry.ts';
import type { Offers } from './availability-shapes.ts';

/** The offers of each name, or its fault; undefined when the upstream returned nothing for it. */
export type OffersByName = ReadonlyMap<string, Offers | undefined>;

/** The timeout of a call that may be halved: this, plus twice the expected time of its names. */
const graceMs = 1_000;
/** The timeout of a name that is checked alone because its batch was lost. */
const singleMs = 4_000;
/** A batch is halved this often at most. */
const maxHalvings = 16;
/** Without any reply, a batch is halved this often and then gets the whole timeout of such a call. */
const maxLevelsWithoutReply = 2;

/** One check of the names. @throws Fault when it fails as a whole. */
type NamesCheck = (names: readonly string[], options: CallOptions) => Promise<OffersByName>;

interface Part {
  readonly names: readonly string[];
  /** Whether the call gets the whole timeout of such a call. */
  readonly hasWholeTimeout: boolean;
}

interface PartOutcome {
  readonly part: Part;
  readonly result: OffersByName | Fault;
  /** False for a call that failed in the queue. */
  readonly wasSent: boolean;
}

/**
 * Checks names in one call, and halves a call that is lost while the request has spare calls. A name that makes its call
 * hang or break fails alone. Halving replaces the retry of the call.
 *
 * It halves level by level: further only while some part of the batch gets a reply.
 *
 * @throws Fault of the first call when that was not lost or cannot be halved.
 */
export function createHalvedChecks(check: NamesCheck, pace: ThroughputEstimate): NamesCheck {
  async function checkPart(part: Part, options: CallOptions): Promise<PartOutcome> {
    const { names, hasWholeTimeout } = part;
    const shortMs = names.length === 1 ? singleMs : graceMs + 2 * pace.expectedMs(names.length);
    let wasSent = false;
    try {
      const result = await check(names, {
        ...options,
        once: true,
        ...(!hasWholeTimeout && { withinMs: Math.round(shortMs) }),
        onCall(call) {
          wasSent = true;
          options.onCall?.(call);
        },
      });
      return { part, result, wasSent };
    } catch (error) {
      return { part, result: asFault(error), wasSent };
    }
  }

  return async (names, options) => {
    const { budget } = options;
    if (names.length === 1 || (budget?.spare ?? 2) < 2) return check(names, options);

    const found = new Map<string, Offers | undefined>();
    let halvings = 0;
    let hasReply = false;
    let parts: readonly Part[] = [{ names, hasWholeTimeout: false }];
    for (let level = 0; parts.length > 0; level += 1) {
      const outcomes = await Promise.all(parts.map((part) => checkPart(part, options)));
      for (const { result } of outcomes) {
        if (result instanceof Fault) continue;
        hasReply = true;
        for (const [name, offers] of result) found.set(name, offers);
      }
      const isLastTry = !hasReply && level + 1 >= maxLevelsWithoutReply;
      const next: Part[] = [];
      for (const { part, result: fault, wasSent } of outcomes) {
        if (!(fault instanceof Fault)) continue;
        // One name of several may have caused it.
        const isLost = transportFaults.has(fault.code) && fault.retryable;
        if (level === 0 && !isLost) throw fault;
        const mayHalve = wasSent && part.names.length > 1 && (hasReply || !part.hasWholeTimeout);
        if (isLost && mayHalve && halvings < maxHalvings && takeTwo(budget)) {
          halvings += 1;
          next.push(
            ...halvesOf(part.names).map((half) => ({ names: half, hasWholeTimeout: isLastTry })),
          );
        } else if (isLost && !part.hasWholeTimeout && (mayHalve || !wasSent)) {
          next.push({ ...part, hasWholeTimeout: true });
        } else {
          for (const name of part.names) found.set(name, fault);
        }
      }
      parts = next;
    }
    return found;
  };
}

const takeTwo = (budget: CallBudget | undefined): boolean =>
  !budget || (budget.takeSpare() && budget.takeSpare());

export function halvesOf(names: readonly string[]): readonly (readonly string[])[] {
  const middle = Math.ceil(names.length / 2);
  return [names.slice(0, middle), names.slice(middle)];
}

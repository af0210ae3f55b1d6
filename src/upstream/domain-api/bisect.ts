import { asFault, Fault, type FaultCode } from '../../kernel/faults.ts';
import type { CallBudget } from '../../kernel/upstream-calls.ts';
import type { ThroughputEstimate } from '../../lib/throughput-estimate.ts';
import type { CallOptions } from '../client/operation.ts';
import { transportFaults } from '../policies/retry.ts';
import type { Offers } from './availability-shapes.ts';

/** The offers of each name, or its fault; undefined when the upstream returned nothing for it. */
export type OffersByName = ReadonlyMap<string, Offers | undefined>;

/** One call for the names. @throws Fault when it fails as a whole. */
export type Send = (names: readonly string[], options: CallOptions) => Promise<OffersByName>;

/** Refusals that may concern one name of several. */
const nameRefusals: ReadonlySet<FaultCode> = new Set([
  'INVALID_INPUT',
  'TLD_UNSUPPORTED',
  'IDN_UNSUPPORTED',
  'RESERVED',
]);
/** A list is halved this often at most after refusals, and this often after lost calls. */
const maxHalvings = 16;
/** The timeout of a call that may be lost and halved: this, plus twice the expected time of its names. */
const graceMs = 1_000;
/** The timeout of a name that is checked alone because its list was lost. */
const singleMs = 4_000;
/** Without any reply, a lost list is halved this often and its parts then get the usual timeout. */
const maxLevelsWithoutReply = 2;

interface Part {
  readonly names: readonly string[];
  /** Null for the usual timeout. */
  readonly withinMs: number | null;
  /** Whether each of the names has failed in passing in an earlier call. */
  readonly isRepeated?: true;
}

/**
 * Checks names in one call, and sends a call that fails because of one name again in halves, level by level. The name fails
 * alone. Names whose entry in a reply says that the upstream failed in passing are checked once more, while the request has a
 * spare call.
 *
 * Halving a refused call takes no spare calls of the request. A lost call is halved with `mayHalve` only, which replaces its
 * retry: while the request has spare calls, and further only when some call gets a reply.
 *
 * @throws Fault of the first call when it cannot be halved; without `mayHalve`, of any lost call.
 */
export async function bisect(
  names: readonly string[],
  send: Send,
  options: CallOptions,
  pace: ThroughputEstimate,
): Promise<(name: string) => Offers | undefined> {
  const { budget } = options;
  const halvesLost = options.mayHalve && names.length > 1 && (budget?.spare ?? 2) >= 2;
  const found = new Map<string, Offers | undefined>();
  const left = { refused: maxHalvings, lost: maxHalvings };
  let hasReply = false;
  let repeated: Part[] = [];

  const shortMs = ({ length }: readonly string[]): number =>
    length === 1 ? singleMs : Math.round(graceMs + 2 * pace.expectedMs(length));

  async function sendPart(part: Part) {
    let wasSent = false;
    const how: CallOptions = {
      ...options,
      ...(halvesLost && { once: true }),
      ...(part.withinMs !== null && { withinMs: part.withinMs }),
      onCall(call) {
        wasSent = true;
        options.onCall?.(call);
      },
    };
    try {
      for (const [name, offers] of await send(part.names, how)) found.set(name, offers);
      hasReply = true;
      const failed = part.names.filter((name) => hasFailedInPassing(found.get(name)));
      if (failed.length > 0 && !part.isRepeated && (budget?.takeSpare() ?? true)) {
        repeated.push({ names: failed, withinMs: part.withinMs, isRepeated: true });
      }
      return null;
    } catch (error) {
      const fault = asFault(error);
      hasReply ||= nameRefusals.has(fault.code);
      return { ...part, fault, wasSent };
    }
  }

  let parts: readonly Part[] = [{ names, withinMs: halvesLost ? shortMs(names) : null }];
  for (let level = 0; parts.length > 0; level += 1) {
    const failed = (await Promise.all(parts.map(sendPart))).filter((outcome) => outcome !== null);
    const isLastTry = !hasReply && level + 1 >= maxLevelsWithoutReply;
    const next: Part[] = repeated;
    repeated = [];
    for (const { names, withinMs, isRepeated, fault, wasSent } of failed) {
      const failAll = (reason: Fault) => {
        for (const name of names) found.set(name, reason);
      };
      const isMany = names.length > 1;
      const isShort = withinMs !== null;
      // The names have their results already.
      if (isRepeated) continue;
      if (nameRefusals.has(fault.code)) {
        if (!isMany) failAll(fault);
        else if (left.refused === 0) failAll(refusedTogether(fault));
        else {
          left.refused -= 1;
          next.push(...halvesOf(names).map((half) => ({ names: half, withinMs })));
        }
      } else if (halvesLost && transportFaults.has(fault.code) && fault.retryable) {
        const mayHalve = wasSent && isMany && (hasReply || isShort);
        if (mayHalve && left.lost > 0 && takeTwo(budget)) {
          left.lost -= 1;
          // Without a reply the upstream may have become slower: half of the names then have the time of all.
          const leastMs = hasReply ? 0 : (withinMs ?? 0);
          for (const half of halvesOf(names)) {
            next.push({
              names: half,
              withinMs: isLastTry ? null : Math.max(leastMs, shortMs(half)),
            });
          }
        } else if (isShort && (isMany || !wasSent)) next.push({ names, withinMs: null });
        else failAll(fault);
      } else if (level > 0 && (halvesLost || fault.code === 'COST_LIMIT_EXCEEDED')) {
        // The other parts have their results already.
        failAll(fault);
      } else throw fault;
    }
    parts = next;
  }
  return (name) => found.get(name);
}

/** Whether the entry of a name says that the upstream could not reach its own backend. */
const hasFailedInPassing = (offers: Offers | undefined): boolean =>
  offers instanceof Fault && offers.retryable && transportFaults.has(offers.code);

const takeTwo = (budget: CallBudget | undefined): boolean =>
  !budget || (budget.takeSpare() && budget.takeSpare());

function halvesOf(names: readonly string[]): readonly (readonly string[])[] {
  const middle = Math.ceil(names.length / 2);
  return [names.slice(0, middle), names.slice(middle)];
}

/** For names of which one was refused, when the upstream does not report which one. */
const refusedTogether = ({ upstream }: Fault) =>
  new Fault('UPSTREAM_REJECTED', {
    message: 'The registrar refused these names together; check each name alone.',
    executed: 'NO',
    ...(upstream && { upstream }),
  });

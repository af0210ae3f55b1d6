import type { CallBudget } from '../../kernel/call-budget.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import type { Availability, CheckTogether, CheckTogetherOptions } from '../availability/check.ts';

export interface CheckDeps {
  readonly checkTogether: CheckTogether;
  readonly clock: Clock;
  /** With the signal that ends the search: no call is begun after it. */
  readonly options: CheckTogetherOptions & {
    readonly signal: AbortSignal;
    readonly budget: CallBudget;
  };
}

interface Patience {
  readonly withinMs: number;
  /** Whether the calls that it takes instead can be made; asked once the time is over. */
  readonly mayGiveUp: () => boolean;
}

/**
 * The answers; null when the registry takes so long that the names had better be asked about in smaller calls.
 *
 * A call that is being repeated is waited for: more calls are no help to a service that is in trouble.
 *
 * @throws the signal's reason when that is aborted.
 */
export async function checkInTime(
  names: readonly DomainName[],
  { withinMs, mayGiveUp }: Patience,
  { checkTogether, clock, options }: CheckDeps,
): Promise<readonly Availability[] | null> {
  const late = new AbortController();
  const done = new AbortController();
  let isRepeated = false;
  const giveUp = () => {
    if (!isRepeated && mayGiveUp()) late.abort();
  };
  clock.wait(withinMs, done.signal).then(giveUp, () => undefined);
  try {
    return await checkTogether(names, {
      ...options,
      signal: AbortSignal.any([options.signal, late.signal]),
      // Told at the end of each attempt.
      onCall(call) {
        isRepeated = true;
        options.onCall?.(call);
      },
    });
  } catch (error) {
    if (late.signal.aborted && !options.signal.aborted) return null;
    throw error;
  } finally {
    done.abort();
  }
}

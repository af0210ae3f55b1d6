import type { DomainName } from '../../kernel/domain-name.ts';
import type { CallBudget } from '../../kernel/upstream-calls.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Availability, CheckTogether, CheckTogetherOptions } from '../availability/check.ts';
import { slowCallMs } from './pace.ts';

export interface CheckDeps {
  readonly checkTogether: CheckTogether;
  readonly clock: Clock;
  /** The signal ends the search: no call starts after it. */
  readonly options: CheckTogetherOptions & {
    readonly signal: AbortSignal;
    readonly budget: CallBudget;
  };
}

/**
 * Checks names in one call, and abandons it when the registry is so slow that smaller calls return results sooner; null
 * then.
 *
 * After `slowCallMs`, `mayAbandon` returns whether the smaller calls that replace it can be made.
 *
 * A call that is being retried is not abandoned: more calls do not help an upstream that fails.
 *
 * @throws the signal's reason when that is aborted.
 */
export async function checkUnlessSlow(
  names: readonly DomainName[],
  mayAbandon: () => boolean,
  { checkTogether, clock, options }: CheckDeps,
): Promise<readonly Availability[] | null> {
  const abandon = new AbortController();
  const done = new AbortController();
  let isRetried = false;
  const onSlow = () => {
    if (!isRetried && mayAbandon()) abandon.abort();
  };
  clock.wait(slowCallMs, done.signal).then(onSlow, () => undefined);
  try {
    return await checkTogether(names, {
      ...options,
      signal: AbortSignal.any([options.signal, abandon.signal]),
      // Called at the end of each attempt.
      onCall(call) {
        isRetried = true;
        options.onCall?.(call);
      },
    });
  } catch (error) {
    if (abandon.signal.aborted && !options.signal.aborted) return null;
    throw error;
  } finally {
    done.abort();
  }
}

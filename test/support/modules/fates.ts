import { Fault } from '../../../src/kernel/faults.ts';

/** Called with each call of a store before it is executed. */
export type OnCall = <T>(method: string, execute: () => Promise<T>) => Promise<T>;

/** What happens to a later call of a replica: of its store, or a request. */
export type Fate =
  | 'kill before'
  | 'kill after'
  | 'pause before'
  | 'pause after'
  | 'fail'
  | 'fail after';

export const fates: readonly Fate[] = [
  ...(['kill before', 'kill after', 'pause before', 'pause after'] as const),
  ...(['fail', 'fail after'] as const),
];

/** The calls of a replica. The call that `in` names by its number from now on gets the fate. */
export function createFates() {
  let next: { calls: number; readonly fate: Fate } | null = null;
  let isDead = false;
  let paused = Promise.withResolvers<void>();
  const never = new Promise<never>(() => undefined);
  const onCall: OnCall = async (method, execute) => {
    if (isDead) return never;
    if (next) next.calls -= 1;
    if (!next || next.calls > 0) return execute();
    const { fate } = next;
    next = null;
    isDead ||= fate.startsWith('kill');
    if (fate === 'pause before') await paused.promise;
    // A request fails with a response, not with an error.
    const canFail = method !== 'post';
    if (fate === 'fail' && canFail) throw new Fault('JOURNAL_UNAVAILABLE');
    if (fate === 'kill before') return never;
    const result = await execute();
    if (fate === 'pause after') await paused.promise;
    if (fate === 'fail after' && canFail) throw new Fault('JOURNAL_UNAVAILABLE');
    return fate === 'kill after' ? never : result;
  };
  return {
    onCall,
    in(calls: number, fate: Fate): void {
      next = { calls, fate };
    },
    resume(): void {
      paused.resolve();
      paused = Promise.withResolvers();
    },
    end(): void {
      next = null;
      this.resume();
    },
    isDead: () => isDead,
  };
}

import { raceAbort } from './waits.ts';

/** A requester of a shared call. When it leaves, the call goes on for the others. */
export interface Requester<Event> {
  readonly signal?: AbortSignal | undefined;
  /** Receives the events of the call; `isFirst` for the requester that caused it. */
  readonly onEvent?: ((event: Event, isFirst: boolean) => void) | undefined;
}

/** One call with several requesters. It is aborted when the last of them has left. */
export interface SharedCall<Result, Event> {
  join(requester: Requester<Event>): Promise<Result>;
  /** Whether it can be joined: false once every requester has left. */
  isOpen(): boolean;
}

type StartCall<Result, Event> = (
  signal: AbortSignal,
  emit: (event: Event) => void,
) => Promise<Result>;

/** Starts at once. The first requester that joins counts as its cause; before that it cannot be aborted. */
export function startSharedCall<Result, Event>(
  start: StartCall<Result, Event>,
): SharedCall<Result, Event> {
  const abort = new AbortController();
  const listeners: NonNullable<Requester<Event>['onEvent']>[] = [];
  let waiting = 0;
  let isSettled = false;
  const result = start(abort.signal, (event) => {
    for (const [at, listener] of listeners.entries()) listener(event, at === 0);
  });
  const settle = () => {
    isSettled = true;
    // A promise that was promoted to the old generation would retain the requests behind the listeners.
    listeners.length = 0;
  };
  // Each requester handles a failure itself; without requesters there is no one to report it to.
  result.then(settle, settle);

  return {
    async join({ signal, onEvent }) {
      if (onEvent) listeners.push(onEvent);
      waiting += 1;
      try {
        return await raceAbort(result, signal);
      } finally {
        waiting -= 1;
        if (waiting === 0 && !isSettled) abort.abort(signal?.reason);
      }
    },
    isOpen: () => !abort.signal.aborted,
  };
}

/** Identical concurrent calls by key: one runs, the others join it. */
export function createSingleFlight<Result, Event>() {
  // In slots, which a settled call leaves: a table that the map has outgrown retains its entries until the next full
  // garbage collection. With the calls themselves as entries the gateway served a third fewer requests.
  const slots = new Map<string, { call: SharedCall<Result, Event> | null }>();
  const openCall = (key: string) => {
    const call = slots.get(key)?.call;
    return call?.isOpen() ? call : null;
  };
  return {
    /** Joins the call in flight for `key`, or starts one. */
    join(
      key: string,
      requester: Requester<Event>,
      start: StartCall<Result, Event>,
    ): Promise<Result> {
      const known = openCall(key);
      if (known) return known.join(requester);
      const slot: { call: SharedCall<Result, Event> | null } = { call: null };
      const call = startSharedCall<Result, Event>((...how) =>
        start(...how).finally(() => {
          if (slots.get(key) === slot) slots.delete(key);
          slot.call = null;
        }),
      );
      slot.call = call;
      slots.set(key, slot);
      return call.join(requester);
    },
    has: (key: string) => openCall(key) !== null,
    /** Later requests for `key` do not join the call that is in flight now. */
    detach(key: string): void {
      slots.delete(key);
    },
  };
}

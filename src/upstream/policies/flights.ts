import { unlessAborted } from '../../kernel/unless-aborted.ts';

/** Who waits for a flight; leaving stops nobody else. */
export interface Waiter<Note> {
  readonly signal?: AbortSignal | undefined;
  /** Hears what is told on the way; `isFirst` for whoever caused the flight. */
  readonly hear?: ((note: Note, isFirst: boolean) => void) | undefined;
}

/** One piece of work that several wait for. It is stopped when the last of them has gone away. */
export interface Flight<Answer, Note> {
  join(waiter: Waiter<Note>): Promise<Answer>;
  /** Whether it still makes sense to join: false once everybody had left it. */
  isOpen(): boolean;
}

/** Begins at once. The first to join counts as who caused it; until somebody does, nobody can stop it. */
export function createFlight<Answer, Note>(
  begin: (signal: AbortSignal, tell: (note: Note) => void) => Promise<Answer>,
): Flight<Answer, Note> {
  const stop = new AbortController();
  const ears: NonNullable<Waiter<Note>['hear']>[] = [];
  let waiting = 0;
  let hasLanded = false;
  const landing = begin(stop.signal, (note) => {
    for (const [at, hear] of ears.entries()) hear(note, at === 0);
  });
  const land = () => {
    hasLanded = true;
    // A table that once held this flight may be garbage for long, and would keep all who waited with it.
    ears.length = 0;
  };
  // Each waiter hears of a failure by itself; with none left it is nobody's.
  landing.then(land, land);

  return {
    async join({ signal, hear }) {
      signal?.throwIfAborted();
      if (hear) ears.push(hear);
      waiting += 1;
      try {
        return await unlessAborted(landing, signal);
      } finally {
        waiting -= 1;
        if (waiting === 0 && !hasLanded) stop.abort(signal?.reason);
      }
    },
    isOpen: () => !stop.signal.aborted,
  };
}

/** Where a flight is found while it is under way. */
interface Slot<Answer, Note> {
  flight: Flight<Answer, Note> | null;
}

/** The flights under way, by what they are for. */
export function createFlights<Answer, Note>() {
  // In slots: a table that the map has outgrown is garbage for long, and would keep alive whatever flew when it was in use.
  const flying = new Map<string, Slot<Answer, Note>>();
  const under = (key: string) => {
    const flight = flying.get(key)?.flight;
    return flight?.isOpen() ? flight : null;
  };
  return {
    /** Joins the flight under way for `key`, or begins one. */
    join(
      key: string,
      waiter: Waiter<Note>,
      begin: (signal: AbortSignal, tell: (note: Note) => void) => Promise<Answer>,
    ): Promise<Answer> {
      const known = under(key);
      if (known) return known.join(waiter);
      const slot: Slot<Answer, Note> = { flight: null };
      const flight: Flight<Answer, Note> = createFlight((signal, tell) =>
        begin(signal, tell).finally(() => {
          if (flying.get(key) === slot) flying.delete(key);
          slot.flight = null;
        }),
      );
      slot.flight = flight;
      flying.set(key, slot);
      return flight.join(waiter);
    },
    has: (key: string) => under(key) !== null,
    /** Whoever asks from now on does not join what is under way for `key`. */
    part(key: string): void {
      flying.delete(key);
    },
  };
}

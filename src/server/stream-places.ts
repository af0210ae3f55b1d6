export interface StreamBounds {
  /** Of all callers together. */
  readonly inAll: number;
  readonly perCaller: number;
}

/** Gives the place back; calling it again does nothing. */
export type LeavePlace = () => void;

/** The places of answers that stay open. Null where the caller, or the gateway, has no more of them. */
export function createStreamPlaces({ inAll, perCaller }: StreamBounds) {
  const taken = new Map<string, number>();
  let all = 0;
  return (caller: string): LeavePlace | null => {
    const own = taken.get(caller) ?? 0;
    if (all >= inAll || own >= perCaller) return null;
    all += 1;
    taken.set(caller, own + 1);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      all -= 1;
      const others = (taken.get(caller) ?? 0) - 1;
      if (others > 0) taken.set(caller, others);
      else taken.delete(caller);
    };
  };
}

/** The turns of an account: so many a second. Replicas may share one. */
export interface TurnStore {
  /** Takes the next turn: milliseconds until it is there. Fails never: a store that is away hands out turns of its own. */
  take(): number | Promise<number>;
}

/** Messages to and from the other replicas of the gateway, about the writes of one account. No function throws. */
export interface Replicas {
  /** Publishes that a write on a domain has ended, with any outcome. */
  publishWrite(write: { readonly action: string; readonly domain: string }): void;
  /** Registers a listener for the writes of other replicas. */
  onWrite(listener: (write: { readonly action: string; readonly domain: string }) => void): void;
}

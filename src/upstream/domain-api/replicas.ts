/** The other replicas of the gateway, as the reads of one account see them. None of it throws. */
export interface Replicas {
  /** Replies that one replica asks for and all of them use. */
  readonly answers: {
    /** One that is younger than that; null when whoever asked here has to ask the upstream. */
    take(
      key: string,
      maxAgeMs: number,
      signal?: AbortSignal,
    ): Promise<{ readonly text: string; readonly ageMs: number } | null>;
    /** To be called before the upstream is asked; what it returns takes the reply, or null when there is none. */
    ask(key: string, maxAgeMs: number): (text: string | null) => Promise<void>;
  };
  /** Says that a write on a domain has ended, however it went. */
  tellWrite(write: { readonly action: string; readonly domain: string }): void;
  /** Hears of those that others sent. */
  onWrite(hear: (write: { readonly action: string; readonly domain: string }) => void): void;
}

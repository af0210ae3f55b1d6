/** Notices between the processes that share a database: the account has items that are due. */
export interface JobNotices {
  /** Wakes the other processes. A notice can be lost. */
  send(account: string): Promise<void>;
  /** `wake` is called for each notice, and when notices may have been lost. Returns the function that ends the subscription. */
  subscribe(account: string, wake: () => void): () => void;
  close(): Promise<void>;
}

/** Of a database without notices, which is polled only. */
export const noJobNotices: JobNotices = {
  send: async () => undefined,
  subscribe: () => () => undefined,
  close: async () => undefined,
};

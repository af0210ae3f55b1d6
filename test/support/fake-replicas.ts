import type { Notice } from '../../src/kernel/notice.ts';
import type { Replicas } from '../../src/persistence/replicas.ts';

/** The other replicas, in this process. */
export function createFakeReplicas() {
  const sent: { account: string; notice: object }[] = [];
  const listeners: { account: string; listener: (notice: Notice) => void }[] = [];
  const replicas: Replicas = {
    noticesOf: (account) => ({
      send: (notice) => void sent.push({ account, notice }),
      follow(listener) {
        listeners.push({ account, listener });
        return () => undefined;
      },
    }),
    bucketsOf: () => ({ report: async () => 0, wait: async () => undefined }),
    close: async () => undefined,
  };
  return {
    replicas,
    sent,
    /** Receives a notice of another replica. */
    receive(to: string, notice: Notice): void {
      for (const { account, listener } of listeners) if (account === to) listener(notice);
    },
  };
}

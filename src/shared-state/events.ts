import { z } from 'zod';
import { type DomainName, parseDomainName } from '../kernel/domain-name.ts';
import type { Connection } from './connection.ts';
import type { Keys } from './keys.ts';

/** A write on a domain has ended, with any outcome. */
interface EndedWrite {
  /** An action of the Domain API. */
  readonly action: string;
  readonly domain: DomainName;
}

/** A purchase was settled; the journal has its outcome. */
interface SettledPurchase {
  readonly id: string;
  readonly domain: DomainName;
}

/** The upstream requested a pause of all calls to one API. */
interface Pause {
  readonly api: 'domain' | 'account';
  readonly ms: number;
}

const domain = z.string().transform(parseDomainName);
const message = z.object({
  from: z.string(),
  write: z.object({ action: z.string(), domain }).optional(),
  settled: z.object({ id: z.string(), domain }).optional(),
  pause: z.object({ api: z.enum(['domain', 'account']), ms: z.number().nonnegative() }).optional(),
});

/** Longer messages are ignored. */
const longestMessage = 2_000;

/**
 * Messages between replicas. A lost message only delays: cached data expires, and every replica polls the journal.
 */
export function createEvents(connection: Connection, keys: Keys, replica: string) {
  const writeListeners = new Set<(write: EndedWrite) => void>();
  const settledListeners = new Set<(purchase: SettledPurchase) => void>();
  const pauseListeners = new Set<(pause: Pause) => void>();
  const publish = (event: Partial<z.input<typeof message>>): void => {
    const text = JSON.stringify({ from: replica, ...event });
    void connection.run((client) => client.publish(keys.events, text));
  };

  connection.subscribe(keys.events, (text) => {
    const received = readMessage(text);
    if (!received || received.from === replica) return;
    const { write, settled, pause } = received;
    if (write) for (const listener of writeListeners) listener(write);
    if (settled) for (const listener of settledListeners) listener(settled);
    if (pause) for (const listener of pauseListeners) listener(pause);
  });

  return {
    publishWrite: (write: { readonly action: string; readonly domain: string }) =>
      publish({ write }),
    onWrite: (listener: (write: EndedWrite) => void): void => void writeListeners.add(listener),
    publishSettled: (purchase: SettledPurchase) =>
      publish({ settled: { id: purchase.id, domain: purchase.domain } }),
    onSettled: (listener: (purchase: SettledPurchase) => void): void =>
      void settledListeners.add(listener),
    publishPause: (pause: Pause) => publish({ pause }),
    onPause: (listener: (pause: Pause) => void): void => void pauseListeners.add(listener),
  };
}

function readMessage(text: string) {
  if (text.length > longestMessage) return null;
  try {
    return message.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

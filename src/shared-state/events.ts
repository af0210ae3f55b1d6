import { z } from 'zod';
import { type DomainName, parseDomainName } from '../kernel/domain-name.ts';
import type { Connection } from './connection.ts';
import type { Keys } from './keys.ts';

/** A write on a domain has ended, however it went. */
interface EndedWrite {
  /** Of the Domain API. */
  readonly action: string;
  readonly domain: DomainName;
}

/** A purchase has come to its end, and the journal tells to which. */
interface SettledPurchase {
  readonly id: string;
  readonly domain: DomainName;
}

/** The service has asked that nothing is sent to this API for so long. */
interface Hold {
  readonly api: 'domain' | 'account';
  readonly ms: number;
}

const domain = z.string().transform(parseDomainName);
const message = z.object({
  from: z.string(),
  wrote: z.object({ action: z.string(), domain }).optional(),
  settled: z.object({ id: z.string(), domain }).optional(),
  held: z.object({ api: z.enum(['domain', 'account']), ms: z.number().nonnegative() }).optional(),
});

/** A longer message is none of ours. */
const longestMessage = 2_000;

/**
 * What replicas tell each other as it happens. A message that is lost costs time only: everything that is kept grows old, and
 * the journal is looked at anyway.
 */
export function createEvents(connection: Connection, keys: Keys, replica: string) {
  const onWrite = new Set<(write: EndedWrite) => void>();
  const onSettled = new Set<(purchase: SettledPurchase) => void>();
  const onHold = new Set<(hold: Hold) => void>();
  const publish = (told: Partial<z.input<typeof message>>): void => {
    const text = JSON.stringify({ from: replica, ...told });
    void connection.ask((client) => client.publish(keys.events, text));
  };

  connection.subscribe(keys.events, (text) => {
    const told = readMessage(text);
    if (!told || told.from === replica) return;
    if (told.wrote) for (const hear of onWrite) hear(told.wrote);
    if (told.settled) for (const hear of onSettled) hear(told.settled);
    if (told.held) for (const hear of onHold) hear(told.held);
  });

  return {
    tellWrite: (wrote: { readonly action: string; readonly domain: string }) => publish({ wrote }),
    onWrite: (hear: (write: EndedWrite) => void): void => void onWrite.add(hear),
    tellSettled: ({ id, domain: about }: SettledPurchase) =>
      publish({ settled: { id, domain: about } }),
    onSettled: (hear: (purchase: SettledPurchase) => void): void => void onSettled.add(hear),
    tellHold: (held: Hold) => publish({ held }),
    onHold: (hear: (hold: Hold) => void): void => void onHold.add(hear),
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

import { EventEmitter } from 'node:events';
import { z } from 'zod';
import { parseDomainName } from '../kernel/domain-name.ts';
import { resultOr } from '../lib/result-or.ts';
import type { Connection } from './connection.ts';

const domain = z.string().transform(parseDomainName);
/** A write on a domain has ended, with any outcome. `action` is one of the Domain API. */
const write = z.object({ action: z.string(), domain });
/** A purchase was settled; the journal has its outcome. */
const settled = z.object({ id: z.string(), domain });
/** The upstream requested a pause of all calls to one API. */
const pause = z.object({ api: z.enum(['domain', 'account']), ms: z.number().nonnegative() });

const message = z.object({
  from: z.string(),
  write: write.optional(),
  settled: settled.optional(),
  pause: pause.optional(),
});

interface Events {
  write: [z.output<typeof write>];
  settled: [z.output<typeof settled>];
  pause: [z.output<typeof pause>];
}

/** Longer messages are ignored. */
const maxMessageLength = 2_000;

/**
 * Messages between replicas. A lost message only delays: cached data expires, and every replica polls the journal.
 */
export function createEvents(connection: Connection, channel: string, replica: string) {
  const received = new EventEmitter<Events>();
  const publish = (event: Partial<z.input<typeof message>>): void => {
    const text = JSON.stringify({ from: replica, ...event });
    void connection.run((client) => client.publish(channel, text));
  };

  connection.subscribe(channel, (text) => {
    if (text.length > maxMessageLength) return;
    const event = resultOr(() => message.parse(JSON.parse(text)), null);
    if (!event || event.from === replica) return;
    if (event.write) received.emit('write', event.write);
    if (event.settled) received.emit('settled', event.settled);
    if (event.pause) received.emit('pause', event.pause);
  });

  return {
    publishWrite: (ended: z.input<typeof write>) => publish({ write: ended }),
    onWrite: (listener: (...ended: Events['write']) => void): void =>
      void received.on('write', listener),
    publishSettled: ({ id, domain }: z.input<typeof settled>) =>
      publish({ settled: { id, domain } }),
    onSettled: (listener: (...purchase: Events['settled']) => void): void =>
      void received.on('settled', listener),
    publishPause: (requested: z.input<typeof pause>) => publish({ pause: requested }),
    onPause: (listener: (...requested: Events['pause']) => void): void =>
      void received.on('pause', listener),
  };
}

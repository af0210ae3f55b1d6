import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { errorText } from '../graph/error-text.ts';
import { type Domain, type DomainEvent, eventFoundDocument, eventsDocument } from './documents.ts';

interface ReadEvents {
  /** The last ones, oldest first; null while they are not known. */
  readonly events: readonly DomainEvent[] | null;
  /** The number of all events of the domain. */
  readonly total: number;
  readonly problem: string | null;
}

const nothing: ReadEvents = { events: null, total: 0, problem: null };

/** The last events of a domain, and each later one as soon as it is found. Then the domain is read again, and the events with it. */
export function useEvents(domain: Domain, last: number, reread: () => unknown): ReadEvents {
  const client = useClient();
  const [read, setRead] = useState(nothing);
  useEffect(() => {
    let isOver = false;
    let unsubscribe = () => {};
    const { name } = domain;
    void client
      .query(eventsDocument, { name, last })
      .toPromise()
      .then(({ data, error }) => {
        if (isOver) return;
        if (!data?.events) {
          setRead({ ...nothing, problem: error ? errorText(error) : null });
          return;
        }
        const [newest = null] = data.all?.nodes ?? [];
        const events = data.events.nodes;
        setRead({ events, total: data.events.countAtLeast, problem: null });
        ({ unsubscribe } = client
          .subscription(eventFoundDocument, { name, after: newest?.cursor ?? null })
          .subscribe((found) => {
            const event = found.data?.events;
            if (!event) return;
            setRead((before) => withEvent(before, event));
            void reread();
          }));
      });
    return () => {
      isOver = true;
      unsubscribe();
    };
  }, [client, domain, last, reread]);
  return read;
}

const withEvent = (before: ReadEvents, event: DomainEvent): ReadEvents => ({
  ...before,
  events: [...(before.events ?? []), event],
  total: before.total + 1,
});

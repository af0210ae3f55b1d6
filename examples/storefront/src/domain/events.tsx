import { useState } from 'react';
import { Card } from '../shared/card.tsx';
import { dateTimeText } from '../shared/date-time.ts';
import type { Domain } from './documents.ts';
import { eventText, sourceText } from './event-text.ts';
import { useEvents } from './use-events.ts';

const shownAtFirst = 10;
const most = 100;

/** The changes that the gateway found, newest first. */
export function Events({ domain }: { readonly domain: Domain }) {
  const [last, setLast] = useState(shownAtFirst);
  const { data, problem } = useEvents(domain, last);
  const events = data?.events.nodes.filter((event) => event !== null).toReversed() ?? [];
  const more = Math.min(data?.events.totalCount ?? 0, most) - events.length;
  return (
    <Card title="Events">
      {problem && <p className="problem">{problem}</p>}
      {data && events.length === 0 && <p className="hint">{emptyText(data.all.totalCount)}</p>}
      <ol className="events" aria-label="Events, newest first">
        {events.map((event) => (
          <li key={event.id}>
            <small>
              <time dateTime={event.foundAt}>{dateTimeText(event.foundAt)}</time>{' '}
              {sourceText(event)}
            </small>
            {eventText(event)}
          </li>
        ))}
      </ol>
      {more > 0 && last < most && (
        <button type="button" className="link" onClick={() => setLast(most)}>
          Show {more} more
        </button>
      )}
    </Card>
  );
}

/** The graph does not report whether events are on. */
const emptyText = (ofAllDomains: number): string =>
  ofAllDomains > 0
    ? 'No change of this domain was found.'
    : 'The gateway has no events yet. It looks for changes while EVENTS_INTERVAL_SECONDS is above 0; with the sandbox it is 0 unless you set it.';

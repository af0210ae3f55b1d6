import { useState } from 'react';
import { LinkButton } from '../shared/buttons.tsx';
import { Card } from '../shared/card.tsx';
import { dateTimeText } from '../shared/date-time.ts';
import type { SectionProps } from './domain-page.tsx';
import { eventText, sourceText } from './event-text.ts';
import { useEvents } from './use-events.ts';

const shownAtFirst = 10;
const most = 100;

/** The changes that the gateway found, newest first. */
export function Events({ domain, reread }: SectionProps) {
  const [last, setLast] = useState(shownAtFirst);
  const { events, total, problem } = useEvents(domain, last, reread);
  const more = Math.min(total, most) - (events?.length ?? 0);
  return (
    <Card title="Events">
      {problem && <p className="problem">{problem}</p>}
      {events?.length === 0 && <p className="hint">No change of this domain was found so far.</p>}
      <ol className="events" aria-label="Events, newest first">
        {events?.toReversed().map((event) => (
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
        <LinkButton onClick={() => setLast(most)}>Show {more} more</LinkButton>
      )}
    </Card>
  );
}

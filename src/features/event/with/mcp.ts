import type { FeatureTools } from '../../../seam/feature.ts';
import { page, time } from '../../mcp/read-tools.ts';

export const tools: FeatureTools = {
  reading: {
    events: {
      title: 'List changes of the account',
      description:
        'Returns changes of domains, purchases, prices and balances of the account that the gateway found, the oldest first. Upstream calls: none.',
      isLocal: true,
      document: /* GraphQL */ `
        query Events(
          $domain: DomainName, $since: DateTime, $types: [EventType!], $first: Int! = 20, $after: String
        ) {
          events(
            first: $first, after: $after, filter: { domain: $domain, at: { from: $since }, types: $types }
          ) {
            totalCount
            nodes { type subject purchase { id } source foundAt before { text } after { text } }
            pageInfo { hasNextPage endCursor }
          }
          gateway { eventsIntervalSeconds eventsSince }
        }
      `,
      bounds: {
        ...page,
        domain: { description: 'Only events of this domain.' },
        since: time('The earliest time'),
        types: { description: 'Only events of these kinds.' },
      },
      notes: ({ gateway }) => (gateway ? [recordingOf(gateway)] : []),
    },
  },
};

/** Since when changes of the account are recorded. */
export function recordingOf({ eventsIntervalSeconds, eventsSince }: Record<string, unknown>) {
  if (eventsIntervalSeconds === null)
    return 'Events are not recorded on this gateway; an empty list does not mean that nothing changed.';
  return eventsSince === null
    ? 'The gateway has not read the account yet, so changes of it are not recorded yet.'
    : `Changes are recorded since ${eventsSince}; earlier ones are not known.`;
}

import * as format from './formats.ts';
import type { SettingRow } from './setting-row.ts';

/** The limits of requests. */
export const limitRows = {
  MAX_STREAMS: {
    to: 'server.maxStreams',
    description: 'Maximum number of open subscriptions, incremental responses and exports.',
    ...format.number(1, 100_000, 1000),
  },
  MAX_STREAMS_PER_CALLER: {
    to: 'server.maxStreamsPerCaller',
    description:
      'Maximum number of open subscriptions, incremental responses and exports of one API key, or with AUTH=open of one IP address.',
    ...format.number(1, 100_000, 200),
  },
  MAX_UPSTREAM_CALLS: {
    to: 'server.maxUpstreamCalls',
    description: 'Upstream calls of one request at most; a document that needs more is refused.',
    ...format.number(1, 1_000, 200),
  },
  MAX_STORED_ROWS: {
    to: 'server.maxStoredRows',
    description:
      'Rows of orders, bulk changes, purchases, events and deliveries that one request may read at most; a document that may read more is refused.',
    ...format.number(1_000, 1_000_000, 5_000),
  },
  RATE_LIMIT_PER_MINUTE: {
    to: 'server.rateLimitPerMinute',
    description:
      'Upstream calls per minute and key, by the estimate before execution. Each request costs at least 0.1, and each row of a stored list 0.001. Purchases and queries about purchases that read few rows cost nothing. 0 sets no limit.',
    ...format.number(0, 1_000_000, 0),
  },
} satisfies Record<string, SettingRow>;

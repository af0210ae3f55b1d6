import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { aliased } from './documents.ts';
import { liveWhile, type Pair, responseOf, spanCell, startPair, streamOf } from './pair.ts';
import { fillJournal } from './statements.ts';

const aliases = 30;

const lists = (list: string, filterAt: (at: number) => string, selection: string) =>
  aliased(aliases, (at) => `${list}(first: 1, filter: { ${filterAt(at)} }) { ${selection} }`);

const day = (at: number) => `"2024-01-${String(at + 1).padStart(2, '0')}T00:00:00Z"`;

/** Filters that no index serves, each with another value. */
const documents: Readonly<Record<string, string>> = {
  'audit log by outcome, counted': lists('auditLog', (at) => `outcome: "N${at}"`, 'countAtLeast'),
  'audit log by caller': lists('auditLog', (at) => `caller: "n${at}"`, 'nodes { position }'),
  'audit log, counted': lists('auditLog', (at) => `at: { from: ${day(at)} }`, 'countAtLeast'),
  'purchases by state': lists(
    'purchases',
    (at) => `caller: "n${at}", states: [FAILED], created: { from: ${day(at)} }`,
    'countAtLeast nodes { id }',
  ),
  'approvals by domain': lists('approvals', (at) => `domain: "n${at}.com"`, 'nodes { id }'),
  'approvals, counted': lists('approvals', (at) => `caller: "n${at}"`, 'countAtLeast'),
  'events by type': lists(
    'events',
    (at) => `types: [DOMAIN_REMOVED], at: { from: ${day(at)} }`,
    'countAtLeast nodes { cursor }',
  ),
  'events by label': lists(
    'events',
    (at) => `labels: [{ name: "n${at}" }]`,
    'countAtLeast nodes { cursor }',
  ),
  'orders by caller': lists('orders', (at) => `caller: "n${at}"`, 'countAtLeast nodes { id }'),
};

/** Leave no row that a gateway works on after its start. */
export const withoutWork: readonly string[] = [
  "update job_items set state = 'DONE', held_by = null, owner = null, outcome = 'SUCCEEDED' where state <> 'DONE'",
  `update purchases set state = case state when 'FAILED' then state else 'SUCCEEDED' end, next_read_at = null`,
  "update approvals set state = 'USED'",
  'delete from known_domains',
  'delete from watched_subjects',
  'delete from outbox',
  'delete from webhooks',
  'delete from webhook_attempts',
];

const readers = 10;
const sampleMs = 2_000;
const maxSamples = 30;

/** `/health/live` beside documents, streams and files over a journal with `rows` entries of the audit log, and other rows in proportion. */
export async function measureBeside(rows: number): Promise<string[][]> {
  const pair = await startPair({
    env: {
      DEVELOPMENT: 'false',
      AUTH: 'open',
      RATE_LIMIT_PER_MINUTE: '0',
      AUDIT_RETENTION_DAYS: '3650',
      EVENTS_RETENTION_DAYS: '3650',
    },
    prepare: (folder) => fillJournal(join(folder, 'sandbox-journal.sqlite'), rows, withoutWork),
  });
  const works: Readonly<Record<string, () => Promise<string>>> = {
    nothing: async () => {
      await sleep(10_000);
      return 'idle';
    },
    ...Object.fromEntries(
      Object.entries(documents).map(([name, document]) => [
        `${aliases} lists: ${name}`,
        async () => {
          const { errors } = await responseOf(pair.gateway, document);
          return errors?.[0]?.message ?? 'served';
        },
      ]),
    ),
    [`${readers} streams of all events`]: () => readStreams(pair),
    'file of all purchases of a month': async () => {
      const response = await fetch(`${pair.gateway.url}/export/statement.csv?month=2030-10`);
      return `${response.status}, ${(await response.arrayBuffer()).byteLength} bytes`;
    },
  };
  try {
    await quiet(pair);
    const measured: string[][] = [];
    for (const [what, work] of Object.entries(works)) {
      const startedMs = performance.now();
      let result = '';
      const ended = work().then((text) => {
        result = text;
      });
      const spans = await liveWhile(pair.gateway, ended);
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
      measured.push([what, spanCell(spans), `${result}, ${seconds} s`]);
    }
    return measured;
  } finally {
    await pair.close();
  }
}

/** Waits until the work is done that was due at the start, for a minute at most: 100,000 lines of orders take longer. */
export async function quiet({ gateway }: Pair): Promise<void> {
  let busyMs = sampleMs;
  for (let sample = 0; sample < maxSamples && busyMs > sampleMs / 10; sample += 1) {
    const startedMs = gateway.cpuMs() ?? 0;
    await sleep(sampleMs);
    busyMs = (gateway.cpuMs() ?? 0) - startedMs;
  }
}

/** Reads all events from the first one, at once. */
async function readStreams(pair: Pair): Promise<string> {
  const edge = (which: string) => `${which}: events(${which}: 1) { nodes { cursor } }`;
  const { first, last } = await pair.query(`{ ${edge('first')} ${edge('last')} }`);
  const [after, end] = [first, last].map(({ nodes }) => nodes[0].cursor);
  const document =
    'subscription ($after: String) { events(after: $after) { cursor type subject } }';
  const readOne = async (): Promise<number> => {
    let events = 0;
    const controller = new AbortController();
    for await (const { events: event } of streamOf(
      pair.gateway,
      document,
      { after },
      controller.signal,
    )) {
      events += 1;
      if (event.cursor === end) break;
    }
    controller.abort();
    return events;
  };
  const counts = await Promise.all(Array.from({ length: readers }, readOne));
  return `${counts.reduce((sum, count) => sum + count, 0)} events`;
}

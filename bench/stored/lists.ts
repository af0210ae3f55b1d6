import { aliased } from './documents.ts';
import { liveWhile, spanCell, startPair } from './pair.ts';

const countOf = (at: number) =>
  `domainStats(filter: { contains: "a${at}" }) { byTld { count } byNameServer { count } }`;

/** A list of many domains: its first read, reads of it with unchanged rows, counts, and an export. */
export async function measureLists(domains: number): Promise<string[][]> {
  const pair = await startPair({
    domains,
    env: { DOMAIN_MAX_AGE_SECONDS: '3600', UPSTREAM_TIMEOUT_MS: '60000' },
  });
  const list = (argument: string) => pair.query(`{ domains(first: 1${argument}) { totalCount } }`);
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'first read of the list': () => list(''),
    'list read again, rows unchanged': () => list(', refresh: true'),
    'list read a third time': () => list(', refresh: true'),
    '30 counts with other filters': () => pair.query(aliased(30, countOf)),
    export: async () => {
      const response = await fetch(`${pair.gateway.url}/export/domains.csv`);
      await response.arrayBuffer();
    },
  };
  const rows: string[][] = [];
  try {
    for (const [what, work] of Object.entries(works)) {
      const startedMs = performance.now();
      const spans = await liveWhile(pair.gateway, work());
      const seconds = (performance.now() - startedMs) / 1_000;
      rows.push([
        `${domains.toLocaleString('en')} domains, ${what}`,
        spanCell(spans),
        `${seconds.toFixed(1)} s`,
      ]);
    }
    return rows;
  } finally {
    await pair.close();
  }
}

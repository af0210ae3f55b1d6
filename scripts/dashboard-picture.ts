import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../src/compose.ts';
import { readConfig } from '../src/config/config.ts';
import { createLog } from '../src/observability/log.ts';
import { drawDashboard } from './dashboard/draw.ts';
import { readScrape, type Scrape } from './dashboard/promql.ts';
import { readDashboard } from './dashboard/read.ts';

// node scripts/dashboard-picture.ts [seconds]: draws deploy/grafana/dashboard.json from the figures of a gateway that is asked
// a little of everything for so long, 90 seconds by default, and writes docs/dashboard.svg.

const seconds = Number(process.argv[2] ?? 90);
const root = new URL('../', import.meta.url);
const dataDir = mkdtempSync(join(tmpdir(), 'reseller-graph-picture-'));
const config = readConfig({ PORT: '0', SANDBOX_PORT: '0', METRICS_PORT: '0', DATA_DIR: dataDir });
const gateway = await startGateway(config, { log: createLog({ level: 'error' }) });

const contact = `{ firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: "+1 3015557144",
  address: { line1: "Main Street 1", city: "Reston", state: "VA", zipCode: "20190", country: "US" } }`;
const buy = (name: string) => `mutation Buy { registerDomain(input: { domain: "${name}", period: 1,
  nameServers: ["a.hosts.net", "b.hosts.net"], registrant: ${contact} }) { purchase { state } errors { code } } }`;

const names = ['maple', 'cedar', 'birch', 'alder', 'hazel', 'rowan', 'aspen', 'elder'];
/** How often a document was asked before. */
const round = (turn: number) => Math.floor(turn / documents.length);

const documents: readonly ((turn: number) => string)[] = [
  () => 'query Page { domains(first: 20) { nodes { name state } } }',
  () => 'query Page { domains(first: 20) { nodes { name state } } }',
  (turn) =>
    `query Search { searchDomains(label: "${names[turn % 8]}-${turn}", tlds: ["com", "net", "org", "de", "io"]) { availability { state } } }`,
  (turn) =>
    `query Free { availabilities(names: ["${names[turn % 8]}-${turn}.com", "weather.net"]) { state } }`,
  () =>
    'query Details { domain(name: "reseller-demo.com") { state contacts { registrant { email } } } }',
  () => 'query Account { reseller { balance { money { amount } } } }',
  (turn) => (round(turn) % 40 === 0 ? buy(`${names[turn % 8]}-${turn}.com`) : '{ __typename }'),
  (turn) =>
    round(turn) % 60 === 0
      ? '{ availability(name: "gateway-maple.com") { state } }'
      : '{ tlds { totalCount } }',
  (turn) => (round(turn) % 90 === 0 ? '{ nope }' : 'query Renewals { domainStats { complete } }'),
  (turn) => (round(turn) === 40 ? buy('late-maple.com') : '{ domains(first: 5) { totalCount } }'),
];

const ask = async (query: string): Promise<void> => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  await response.text();
};

const endsAt = performance.now() + seconds * 1000;
const scrapes: Scrape[] = [];
const load = async (offset: number): Promise<void> => {
  for (let turn = offset; performance.now() < endsAt; turn += documents.length) {
    await ask(documents[turn % documents.length]?.(turn) ?? '');
    await pause(5 + 20 * (1 + Math.sin(turn / 150)));
  }
};
const scrape = async (): Promise<void> => {
  while (performance.now() < endsAt) {
    const response = await fetch(`${gateway.metricsUrl}/metrics`);
    scrapes.push(readScrape(Date.now(), await response.text()));
    await pause(Math.max(500, (seconds * 1000) / 60));
  }
};
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

await Promise.all([scrape(), ...documents.map((_document, at) => load(at))]);
await gateway.close();
rmSync(dataDir, { recursive: true });

const dashboard = readDashboard(
  readFileSync(new URL('deploy/grafana/dashboard.json', root), 'utf8'),
);
const caption = `drawn from a run of ${seconds} seconds over the sandbox`;
writeFileSync(new URL('docs/dashboard.svg', root), drawDashboard(dashboard, scrapes, caption));

import { npmScript } from '../../src/lib/programs.ts';
import { commandNames } from '../../src/package/command-line.ts';
import { markdownFiles, readText } from './markdown.ts';

// The commands of the documents. `npm run commands` runs them as this file describes.

const shBlock = /^ *```sh\n([\s\S]*?)^ *```/gm;
const inlineCommand =
  /`((?:LONG=1 )?(?:npm|npx|docker|kubectl|node dist\/\S+|\.ci\/(?:run|long))(?: [^`\n]*)?)`/g;

/** Commands of one `sh` block, with continued lines joined and comments removed. */
const linesOf = (block: string): readonly string[] =>
  block
    .replace(/\\\n\s*/g, '')
    // A text in single quotes may have several lines.
    .replace(/'[^']*'/g, (text) => text.replace(/\n\s*/g, ' '))
    .split('\n')
    .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
    .filter((line) => line !== '');

/** Whether later lines need a variable or the folder of an earlier one. */
const isOneCommand = ([first = '']: readonly string[]): boolean =>
  /^\w+=\$\(|&& cd \S+$/.test(first);

export interface Documented {
  /** The command, or all lines of a block that is one command. */
  readonly text: string;
  /** The documents that have it. */
  readonly files: ReadonlySet<string>;
}

/** Every command in the documents. The name of a block that is one command is its first line. */
export function readCommands(): ReadonlyMap<string, Documented> {
  const commands = new Map<string, { text: string; files: Set<string> }>();
  const add = (name: string, file: string, text = name) => {
    const { files } = commands.get(name) ?? { files: new Set() };
    commands.set(name, { text, files: files.add(file) });
  };
  for (const file of markdownFiles) {
    const text = readText(file);
    for (const [, block = ''] of text.matchAll(shBlock)) {
      const lines = linesOf(block);
      if (isOneCommand(lines)) add(lines[0] ?? '', file, lines.join('\n'));
      else for (const line of lines) add(line, file);
    }
    const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '');
    for (const [, command = ''] of prose.matchAll(inlineCommand)) add(command, file);
  }
  return commands;
}

/** How `npm run commands` runs a command. */
export interface Run {
  /** What runs instead: with values for placeholders, or with less work. The documented text by default. */
  readonly as?: string;
  /** Settings. `FOLDER` is the folder of the command, with the files of `files`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The documented port and the path of a program that listens. It is stopped by SIGTERM when it has responded. */
  readonly responds?: string;
  /** Its standard input, which is closed when it has printed `prints`. */
  readonly input?: string;
  /** Part of its output. */
  readonly prints?: string;
  /** Default 0. */
  readonly exitCode?: number;
  /** A command of this list that listens while this one runs. */
  readonly during?: string;
}

/** Files in the folder of a command. */
export const files: Readonly<Record<string, string>> = {
  'prices.json': '{"rules": [{"margin": "30", "rounding": "x.99"}]}',
  'approvals.json': '{"rules": [{"operations": ["UNLOCK"]}]}',
  'domains.csv': 'name,note\nimported-one.com,\nimported-two.com,\n',
  'profiles.csv': `name,customer,firstName,lastName,email,phone,line1,city,zipCode,country
Office,,Ada,Byron,ada@example.com,+44 20 7946 0958,12 St James Square,London,SW1Y 4JH,GB
Home,acme,Grace,Hopper,grace@example.com,+49 30 123456,Musterweg 1,Berlin,10115,DE
`,
  'domains.txt': 'imported-three.com\n',
  'name-servers.csv': `domain,nameServers
reseller-demo.com,ns1.example-dns.net ns2.example-dns.net
unlocked-demo.com,ns1.example-dns.net ns2.example-dns.net ns3.example-dns.net
`,
  'transfers.csv': `domain,code,customer
outside-one.com,Transfer-Code-01,acme
outside-two.com,Transfer-Code-01,
`,
  'domains.yaml': `domains:
  # Every domain in use. Later entries replace the values of earlier ones.
  - match: "*-demo.net"
    privacyProtected: true
  - labels: { team: blue }
    nameServers: [ns1.example-dns.net, ns2.example-dns.net]
  - names: [reseller-demo.com]
    nameServers: [ns1.reseller-demo.com, ns2.reseller-demo.com]
    privacyProtected: true
`,
  'customers.csv': 'domain,customer,label:team\nreseller-demo.com,acme,blue\n',
  'secrets/domain-api': 'a-password',
  'secrets/api-key': 'a-key-of-more-than-16-characters',
  'tenants.json': JSON.stringify({
    default: { username: 'demo', password: 'demo-password' },
    acme: { username: 'demo-two', password: 'demo-two-password' },
  }),
};

/** Documented paths outside the folder, and what replaces them. */
export const paths: Readonly<Record<string, string>> = {
  '/backups/': 'FOLDER/',
  '/data/': 'FOLDER/',
  '/run/secrets/': 'FOLDER/secrets/',
};

const graph = '4000/graphql';
const live = '4000/health/live';
const tenants = { TENANTS_FILE: 'FOLDER/tenants.json' };
/** A gateway that has keys is open to no other caller, so these keys are not in the folder of the other commands. */
const withKeys = { DATA_DIR: 'FOLDER/with-keys' };
const withEvents = 'EVENTS_INTERVAL_SECONDS=5 WEBHOOKS_ALLOW_PRIVATE=true npm start';

const takesPayments = 'cd examples/paid-orders && npm ci && PORT=4200 npm start';

/** A handshake of the Model Context Protocol. */
const initialize = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    ...{ protocolVersion: '2025-06-18', capabilities: {} },
    clientInfo: { name: 'commands', version: '1' },
  },
});

/** The commands that make the two forms: a clone and an empty folder with the package. They run first, in this order. */
export const installing: Readonly<Record<string, Run>> = {
  'npm ci && npm start': { responds: graph },
  'npm run package': { prints: '.tgz' },
  'npm install ./reseller-graph-0.2.0.tgz': {},
  'npx reseller-graph': { responds: graph },
};

/** The commands of users and operators. They run in this order, because some need what an earlier one has written. */
export const operating: Readonly<Record<string, Run>> = {
  'npm start': { responds: graph },
  'npm start -- --help': { prints: 'UPSTREAM_TIMEOUT_MS' },
  'npm start -- --reset': { responds: graph },
  'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npm start': { responds: graph },
  'SUBGRAPH=true TYPE_PREFIX=Acme npm start': { responds: graph },
  'UPSTREAM=live DOMAIN_API_URL=https://api.example/domain-api DOMAIN_API_USERNAME=… DOMAIN_API_PASSWORD_FILE=/run/secrets/domain-api ACCOUNT_API_URL=https://api.example/account-api API_KEY_FILE=/run/secrets/api-key PRICES_FILE=prices.json npm start':
    { responds: live },
  'npm run sandbox': { responds: '4001/admin/clock' },
  'DOMAIN_API_URL=http://127.0.0.1:4001/domain-api npm start': {
    ...{ responds: graph, during: 'npm run sandbox' },
  },
  'curl http://127.0.0.1:4001/admin/faults -H \'content-type: application/json\' -d \'{ "fault": "lost-answer", "action": "registerdomain" }\'':
    { during: 'npm run sandbox', prints: '{}' },
  "curl http://127.0.0.1:4001/admin/clock -H 'content-type: application/json' -d '{ \"advanceDays\": 6 }'":
    { during: 'npm start', prints: 'The gateway in this process has the same time.' },
  'curl -fOJ -H "x-api-key: $KEY" http://127.0.0.1:4000/export/domains.csv': {
    // The folder has a file of this name, which curl does not replace.
    as: 'mkdir exported && cd exported && curl -fOJ -H "x-api-key: $KEY" http://127.0.0.1:4000/export/domains.csv',
    during: 'npm start',
  },
  'curl -fOJ -H "x-api-key: $KEY" "http://127.0.0.1:4000/export/statement.csv?month=$(date +%Y-%m)"':
    {
      during: 'npm start',
    },
  'npm run check:live': { prints: ' 0 failed.' },
  'npm run mcp --silent': { input: `${initialize}\n`, prints: '"serverInfo"' },
  'npm run keys': { as: 'npm run keys -- --help', prints: 'Usage: ' },
  'npm run keys -- make shop --scopes domains:check,domains:spend --expires 2027-01-01 --limits \'{"perHour":20}\'':
    { prints: 'rg_' },
  'npm run keys -- list': { prints: 'shop' },
  'npm run keys -- revoke shop': { prints: 'revoked' },
  'npm run profiles': { as: 'npm run profiles -- --help', prints: 'Usage: ' },
  'npm run profiles -- import profiles.csv': { prints: 'Profiles saved: 2' },
  'npm run domains': { as: 'npm run domains -- --help', prints: 'Usage: ' },
  'npm run domains -- import domains.csv': { prints: 'Domains added: 2' },
  'npm run domains -- import customers.csv': { prints: 'customers set: 1; labels set: 1' },
  'npm run domains -- --tenant acme import domains.txt': {
    ...{ env: tenants, prints: 'Domains added: 1' },
  },
  'npm run domains -- change name-servers.csv': { during: 'npm start', prints: 'failed: 0' },
  'npm run domains -- transfer transfers.csv': { during: 'npm start', prints: 'Nothing was sent.' },
  'npm run domains -- transfer transfers.csv --yes': {
    ...{ during: 'npm start', prints: 'Placed: 2 transfers' },
  },
  'npm run domains -- plan domains.yaml': {
    ...{ during: 'npm start', exitCode: 2, prints: 'domains differ' },
  },
  'npm run domains -- apply domains.yaml': { during: 'npm start', prints: 'failed: 0' },
  'npm run prices': { as: 'npm run prices -- --help', prints: 'Usage: ' },
  'npm run prices -- check prices.json': { during: 'npm start', prints: 'rule 1' },
  'PRICES_FILE=prices.json npm run prices -- show com net': {
    ...{ during: 'npm start', prints: '14.99' },
  },
  'npm run approvals': { as: 'npm run approvals -- --help', prints: 'Usage: ' },
  'npm run approvals -- check approvals.json': { prints: 'rule 1: UNLOCK, always.' },
  'npm run audit': { as: 'npm run audit -- --help', prints: 'Usage: ' },
  'npm run prices -- show com net': { during: 'npm start', prints: '14.99' },
  'npm run purchases': { as: 'npm run purchases -- --help', prints: 'Usage: ' },
  'npm run purchases -- stop': {
    ...{ exitCode: 2, prints: 'stop needs a reason' },
  },
  'npm run purchases -- stop "Invoices do not add up; ask Ada."': { prints: 'are stopped' },
  'npm run purchases -- status': { prints: 'ask Ada' },
  'npm run purchases -- stop "Restored from a backup."': { prints: 'Restored' },
  'npm run purchases -- start': { prints: 'are allowed' },
  'npm run purchases -- --tenant acme stop "Ask Ada."': { env: tenants, prints: 'Ask Ada' },
  'npm run backup': { as: 'npm run backup -- --help', prints: 'Usage: ' },
  'npm run restore': { as: 'npm run restore -- --help', prints: 'Usage: ' },
  'npm run backup -- /backups/2026-11-22': { prints: 'is a backup' },
  'npm run restore -- --check /backups/2026-11-22': { prints: 'is a complete backup' },
  'npm run restore -- /backups/2026-11-22': {
    ...{ env: { DATA_DIR: 'FOLDER/restored' }, prints: 'Restored from the backup' },
  },
  'curl -s http://127.0.0.1:4000/graphql -H \'content-type: application/json\' -d \'{ "query": "mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { order { id payment { amountDue { amount currency } } } errors { message } } }", "variables": { "input": { "idempotencyKey": "cart-1", "payment": { "expiresAfter": "PT30M" }, "lines": [{ "registration": { "domain": "maple-paid.com" } }, { "registration": { "domain": "maple-paid.net" } }], "defaults": { "nameServers": ["ns1.example.com", "ns2.example.com"], "registrant": { "fields": { "firstName": "Ada", "lastName": "Byron", "email": "ada@example.com", "phone": "+44 20 7946 0958", "address": { "line1": "12 St James Square", "city": "London", "zipCode": "SW1Y 4JH", "country": "GB" } } } } } } }\'':
    { during: 'npm start', prints: '"amountDue"' },
  [withEvents]: { responds: graph },
  'curl -s http://127.0.0.1:4000/graphql -H \'content-type: application/json\' -d \'{ "query": "mutation { createWebhook(input: { url: \\"http://127.0.0.1:4100/\\" }) { secret errors { message } } }" }\'':
    { during: withEvents, prints: 'whsec_' },
  'curl -s http://127.0.0.1:4000/graphql -H \'content-type: application/json\' -d \'{ "query": "mutation { setPrivacyProtection(input: { domain: \\"private-demo.net\\", privacyProtected: false }) { errors { message } } }" }\'':
    { during: withEvents, prints: '"errors":[]' },
  'npm run audit -- verify': { prints: 'is intact' },
  'npm run keys -- make acme-portal --customer acme --scopes domains:check,domains:read,domains:write,domains:spend,events:read':
    { env: withKeys, prints: 'rg_' },
  'npm run keys -- make cashier --scopes payments:confirm,ops': { env: withKeys, prints: 'rg_' },
  'npm run keys -- make staff --scopes domains:check,domains:read,contacts:read,customers:write,prices:cost,account:read,ops':
    { env: withKeys, prints: 'rg_' },
  'npm run keys -- make bakery --customer bakery --scopes domains:check,domains:read,domains:write,domains:spend,contacts:read':
    { env: withKeys, prints: 'rg_' },
  'npm run keys -- make bicycles --customer bicycles --scopes domains:check,domains:read,domains:write,domains:spend,contacts:read':
    { env: withKeys, prints: 'rg_' },
  'npm run keys -- make desk --scopes domains:check,domains:read,domains:spend,domains:unlock': {
    ...{ env: withKeys, prints: 'rg_' },
  },
  'npm run keys -- make manager --scopes approvals:decide,prices:cost': {
    ...{ env: withKeys, prints: 'rg_' },
  },
  'AUTH=keys APPROVALS_FILE=approvals.json npm start': { env: withKeys, responds: live },
  'AUTH=keys PRICES_FILE=prices.json npm start': { env: withKeys, responds: live },
};

/** The commands that only a clone has, in this order. */
export const developing: Readonly<Record<string, Run>> = {
  'npm run dev': { responds: graph },
  'npx node': { as: 'npx node --version', prints: 'v24' },
  'npx node --env-file=.env src/cli/run.mjs src/main': {
    ...{ as: 'cp .env.example .env && npx node --env-file=.env src/cli/run.mjs src/main' },
    responds: graph,
  },
  'npm run build': {},
  'npm pack': { exitCode: 1, prints: 'npm run package' },
  // The image has no npx; here Node is that of the clone.
  'node dist/reseller-graph.js purchases stop "reason"': {
    ...{ as: 'npx node dist/reseller-graph.js purchases stop "reason"', prints: 'are stopped' },
  },
  'node dist/reseller-graph.js backup /data/backup-2026-11-22': {
    as: 'npx node dist/reseller-graph.js backup /data/backup-2026-11-22',
    prints: 'is a backup',
  },
  'node dist/reseller-graph.js keys make shop --scopes domains:check': {
    as: 'npx node dist/reseller-graph.js keys make shop --scopes domains:check',
    prints: 'rg_',
  },
  'node dist/reseller-graph.js domains import /data/domains.csv': {
    as: 'npx node dist/reseller-graph.js domains import /data/domains.csv',
    prints: 'Domains added',
  },
  'KEY=$(openssl rand -hex 24)': {},
  'echo "whsec_$(openssl rand -base64 32)"': { prints: 'whsec_' },
  'mkdir -p deploy/secrets && cd deploy/secrets': {},
  'npm run schema': {},
  'npm run client': {},
  'npm run schema --silent -- --print schema.graphql --set TYPE_PREFIX=Acme': {
    prints: 'type AcmeDomain ',
  },
  'npm run schema --silent -- --print stitching.graphql --set TYPE_PREFIX=Acme': {
    prints: 'type AcmeDomain ',
  },
  'npm run schema --silent -- --print subgraph.graphql --set TYPE_PREFIX=Acme': {
    prints: 'type AcmeDomain ',
  },
  'npm run schema:diff': {},
  'npm run ddl': { prints: 'create table purchases' },
  'npm run ddl -- --postgres': { prints: 'create table purchases' },
  'npm run docs': {},
  'npm run simulate': { as: 'npm run simulate -- --seeds 5' },
  'npm run simulate -- --seed N': { as: 'npm run simulate -- --seed 1' },
  'npm run simulate -- --from 7 --step 40 --seeds 500': {
    as: 'npm run simulate -- --from 7 --step 40 --seeds 1',
  },
  'npx vitest run test/graph/purchases/price.test.ts': { prints: 'passed' },
};

/** Commands of a clone that take long. They need nothing of the others, so they run concurrently with them. */
export const long: Readonly<Record<string, Run>> = {
  'npm run demo': { prints: 'Reported by the gateway: FAILED.' },
  'npm run bench -- --quick': { as: 'npm run bench -- --quick --only W1' },
  'npm run bench -- --profile DIR': {
    as: 'npm run bench -- --profile FOLDER --only W1 --rounds 1 --seconds 0.1',
  },
  'npm run bench:abuse': { as: 'npm run bench:abuse -- --rounds 1' },
  'npm run bench:export': { as: 'npm run bench:export -- --domains 100 --exports 1' },
  'npm run bench:journal': { as: 'npm run bench:journal -- --purchases 5' },
  'npm run bench:overload': { as: 'npm run bench:overload -- --rounds 1 --seconds 0.2' },
  'npm run bench:orders': {
    as: 'npm run bench:orders -- --lines 2 --latency 10 --concurrency 2',
  },
  'npm run bench:portfolio': { as: 'npm run bench:portfolio -- --domains 100 --requests 5' },
  'npm run bench:search': {
    as: 'npm run bench:search -- --names 20 --clients 1 --latency 0 --rounds 1 --seconds 0.2',
  },
  'npm run bench:stored': { as: 'npm run bench:stored -- --quick' },
  'npm run release': { prints: 'There is no release' },
  'npm run soak': { as: 'npm run soak -- --minutes 0.1' },
  'cd examples/paid-orders && npm ci && npm start': { as: takesPayments, responds: '4200/' },
  'curl -s http://127.0.0.1:4200/payments -H \'content-type: application/json\' -d \'{ "order": "…", "paymentMethod": "pm_card_visa" }\'':
    // Without a gateway; examples/paid-orders/test/readme.test.js has one.
    { during: takesPayments, prints: 'This is not possible at present.' },
  'cd examples/storefront && npm ci && npm start': { responds: '5173/' },
  'cd examples/webhook-receiver && npm ci && WEBHOOK_SECRET=whsec_… npm start': {
    as: 'cd examples/webhook-receiver && npm ci && PORT=4100 WEBHOOK_SECRET=whsec_bm8tcGVyc29uLWtub3dzLXRoaXMtc2VjcmV0 npm start',
    responds: '4100/',
  },
};

/** Commands that run as a part of others, by the command or the script of CI. */
export const partOf: Readonly<Record<string, string>> = {
  'npm ci': 'npm ci && npm start',
  'npm ci && npm test': '.ci/run',
  'npm test': '.ci/run',
  'npm run test:long': '.ci/long',
  'npm --prefix examples/paid-orders test': '.ci/run',
  'npm --prefix examples/storefront test': '.ci/run',
  'npm run types': '.ci/run',
  'npm run lint': '.ci/run',
  'npm run check': '.ci/run',
  'npm run commands -- --quick': '.ci/run',
  'npm run commands': '.ci/long',
  'npm run features -- check NAME': '.ci/long',
  'npm run mutate -- --since main --minutes 5': '.ci/long',
  'npm run bench': 'npm run bench -- --quick',
  'npm run bench -- --only W1,W2': 'npm run bench -- --quick',
};

/** Test files of a clone: `npm test` and `npm run test:long` run all of them. */
export const isOfTests = (command: string): boolean =>
  /^(?:LONG=1 )?npx vitest run /.test(command) && !(command in developing);

/** Commands that nothing runs, with the reason. */
export const notRun: Readonly<Record<string, string>> = {
  '.ci/run': 'It runs npm run commands -- --quick.',
  '.ci/long': 'It runs npm run commands.',
  'npm run mutate -- src/access src/lib/token-bucket.ts':
    'It takes minutes; .ci/long runs npm run mutate for the changed lines.',
  'npm run simulate -- --mutants':
    'It takes minutes; test/simulation/mutants.test.ts runs the search.',
  'npm run bench:growth': 'It takes minutes, also with --quick.',
  'npm run pictures':
    'It needs Chromium; examples/storefront/test/storefront.test.ts opens the same pages.',
  'npm run playground': 'It takes a minute; test/playground has the tests of its files.',
  'docker compose up --build': 'It needs Docker.',
  'docker compose --profile replicas up --build proxy': 'It needs Docker.',
  'docker compose exec gateway …': 'It needs Docker.',
  'kubectl create secret generic reseller-graph --from-file=api-keys --from-file=database-url --from-file=domain-api-username --from-file=domain-api-password --from-file=prices.json':
    'It needs a cluster.',
  'kubectl exec deploy/reseller-graph -- …': 'It needs a cluster.',
  'kubectl apply -k deploy/kubernetes': 'It needs a cluster.',
  'kubectl apply -f deploy/kubernetes/monitoring': 'It needs a cluster.',
  'kubectl rollout restart deployment/reseller-graph': 'It needs a cluster.',
  'npm audit signatures': 'It needs a package that a registry has.',
};

/** The command as users of the npm package write it; null when the package does not have it. */
export function inPackage(command: string): string | null {
  const [env = ''] = /^(?:[A-Z_]+=\S+ )*/.exec(command) ?? [];
  const script = command.slice(env.length);
  const name = commandNames.find((one) => `${script} -- `.startsWith(`${npmScript(one)} -- `));
  if (name === undefined) return null;
  const args = script.slice(npmScript(name).length).replace(' --', '');
  return `${env}npx reseller-graph ${name}${args}`;
}

import { markdownFiles, readText } from './markdown.ts';

const shBlock = /^ *```sh\n([\s\S]*?)^ *```/gm;
const inlineCommand = /`((?:LONG=1 )?(?:npm|npx|docker|kubectl|\.ci\/run) ?[^`\n]*)`/g;

/** Commands of one `sh` block, with continued lines joined and comments removed. */
const linesOf = (block: string): readonly string[] =>
  block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
    .filter((line) => line !== '');

/** Every command in the documents, with the documents that have it. */
export function readCommands(): ReadonlyMap<string, ReadonlySet<string>> {
  const commands = new Map<string, Set<string>>();
  const add = (command: string, file: string) =>
    commands.set(command, (commands.get(command) ?? new Set()).add(file));
  for (const file of markdownFiles) {
    const text = readText(file);
    for (const [, block = ''] of text.matchAll(shBlock)) {
      for (const line of linesOf(block)) add(line, file);
    }
    const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '');
    for (const [, command = ''] of prose.matchAll(inlineCommand)) add(command, file);
  }
  return commands;
}

/** Commands that `commands.test.ts` runs as they are written, but for addresses and paths outside the folder. */
export const started = [
  'npm run dev',
  'npm run sandbox',
  'npx node --env-file=.env src/cli/run.mjs main',
  'DOMAIN_API_URL=http://127.0.0.1:4001/domain-api npm start',
  'SUBGRAPH=true TYPE_PREFIX=Acme npm start',
  'UPSTREAM=live DOMAIN_API_URL=https://api.example/domain-api DOMAIN_API_USERNAME=… DOMAIN_API_PASSWORD_FILE=/run/secrets/domain-api ACCOUNT_API_URL=https://api.example/account-api API_KEY_FILE=/run/secrets/api-key npm start',
  'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npm start',
  'npm start -- --reset',
] as const;

/** Commands that another test runs. */
export const runElsewhere: Readonly<Record<string, string>> = {
  'npm start': 'test/processes/stop-signals.test.ts',
  'npm run build': 'test/processes/bundle.test.ts',
  'npm run package': 'test/package/packed.test.ts',
  'npm pack': 'test/package/packed.test.ts',
  'npm install ./reseller-graph-0.2.0.tgz': 'test/package/packed.test.ts',
  'npx reseller-graph': 'test/package/packed.test.ts',
  'npx reseller-graph sandbox': 'test/package/packed.test.ts',
  'npx reseller-graph keys': 'test/package/packed.test.ts',
  'npx reseller-graph purchases': 'test/package/packed.test.ts',
  'npx reseller-graph domains': 'test/package/packed.test.ts',
  'npm run demo': 'test/processes/demo.test.ts',
  'npm run mcp --silent': 'test/mcp/stdio.test.ts',
  'npm run mcp': 'test/mcp/stdio.test.ts',
  'npm run domains': 'test/app/import-domains.test.ts',
  'npm run domains -- import domains.csv': 'test/app/import-domains.test.ts',
  'npm run domains -- --tenant acme import domains.txt': 'test/app/import-domains.test.ts',
  'npm run purchases -- stop "Restored from a backup."': 'test/graph/purchases/stop-switch.test.ts',
  'npm run schema:diff': 'test/docs/schema-diff.test.ts',
  'npm run docs': 'test/docs/tables.test.ts',
  'npm run client': 'test/clients/typed-client.test.ts',
  'npm run schema': 'test/docs/schema.test.ts',
  'npm run schema --silent -- --print schema.graphql --prefix Acme': 'test/docs/supergraph.test.ts',
  'npm run schema --silent -- --print schema/stitching.graphql --prefix Acme':
    'test/docs/supergraph.test.ts',
  'npm run schema --silent -- --print schema/subgraph.graphql --prefix Acme':
    'test/docs/supergraph.test.ts',
  'cd examples/storefront && npm ci && npm start': 'test/examples/storefront.test.ts',
  'curl -fOJ -H "x-api-key: $KEY" http://127.0.0.1:4000/export/domains.csv':
    'test/docs/export.test.ts',
  'curl http://127.0.0.1:4001/admin/faults -H \'content-type: application/json\' -d \'{ "fault": "lost-answer", "action": "registerdomain" }\'':
    'test/docs/sandbox.test.ts',
};

/** Commands that `.ci/run` or an npm script runs. */
export const runByCi = [
  'npm ci',
  'npm ci && npm test',
  'npm test',
  'npm run test:long',
  'npm run types',
  'npm run lint',
  'npm run check',
  'npm run mutate -- --since main --minutes 5',
  '.ci/run',
];

/** Commands that nothing runs: they take minutes, need a quiet machine, or programs that are not installed. */
export const runByHand = [
  'npm ci && npm start',
  'npm run bench',
  'npm run bench -- --quick',
  'npm run bench -- --only W1,W2',
  'npm run bench -- --profile DIR',
  'npm run bench:abuse',
  'npm run bench:export',
  'npm run bench:growth',
  'npm run bench:journal',
  'npm run bench:overload',
  'npm run bench:orders',
  'npm run bench:portfolio',
  'npm run pictures',
  'npm run soak',
  'npm run mutate -- src/access src/lib/token-bucket.ts',
  'npm run sbom',
  'npm run playground',
  'npm run simulate',
  'npm run simulate -- --mutants',
  'npm run simulate -- --from 7 --step 40 --seeds 500',
  'docker compose up --build',
  'docker compose --profile replicas up --build proxy',
  'kubectl create secret generic reseller-graph --from-file=api-keys --from-file=database-url --from-file=redis-url --from-file=domain-api-username --from-file=domain-api-password',
  'docker compose exec gateway …',
  'kubectl exec deploy/reseller-graph -- …',
  'kubectl apply -k deploy/kubernetes',
  'kubectl apply -f deploy/kubernetes/monitoring',
  'kubectl rollout restart deployment/reseller-graph',
];

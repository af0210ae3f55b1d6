import { readFileSync } from 'node:fs';

// The bill of materials of the packages that run, in CycloneDX 1.5, from the lock file alone: the same lock file gives the
// same text. `npm sbom --omit dev` omits packages that production and development share.

interface Locked {
  readonly name?: string;
  readonly version: string;
  readonly integrity: string;
  readonly license: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const root = new URL('../', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8'));

const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
const { '': product, ...all } = packages;

/** Development packages of which the bundle has a copy: for traces, which most installations do not export, and for the client. */
const bundled = [
  ...['@opentelemetry/core', '@opentelemetry/exporter-trace-otlp-http'],
  ...['@opentelemetry/resources', '@opentelemetry/sdk-trace-base', 'graphql-sse'],
];

const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? path;
const purlOf = (path: string, { version }: Locked) =>
  `pkg:npm/${nameOf(path).replace('@', '%40')}@${version}`;

/** The path at which a package resolves another: below itself, or at the nearest level above. */
function find(from: string, name: string): string | null {
  const path = `${from ? `${from}/` : ''}node_modules/${name}`;
  if (path in all) return path;
  const above = from.lastIndexOf('/node_modules/');
  if (above >= 0) return find(from.slice(0, above), name);
  return from ? find('', name) : null;
}

/** The paths of the packages that a package needs, whether they run or not. */
function dependenciesOf(path: string, one: Locked | undefined): readonly string[] {
  const names = { ...one?.dependencies, ...one?.optionalDependencies, ...one?.peerDependencies };
  const found = Object.keys(names).flatMap((name) => find(path, name) ?? []);
  return [...new Set(found)].sort();
}

const running = new Set(Object.keys(all).filter((path) => !all[path]?.dev));
function addBundled(path: string): void {
  if (running.has(path)) return;
  running.add(path);
  for (const other of dependenciesOf(path, all[path])) addBundled(other);
}
const bundledPaths = bundled.map((name) => `node_modules/${name}`);
for (const path of bundledPaths) addBundled(path);

const runs = Object.entries(all).filter(([path]) => running.has(path));
const needs = (path: string, one: Locked | undefined) =>
  dependenciesOf(path, one).filter((other) => running.has(other));

const hex = (integrity: string) =>
  Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');

const ref = `pkg:npm/${product?.name}@${product?.version}`;
const refOf = (path: string) => {
  const one = all[path];
  return one ? `${purlOf(path, one)}#${path}` : ref;
};

export const billOfMaterials = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: {
      'bom-ref': ref,
      type: 'application',
      name: product?.name,
      version: product?.version,
      licenses: [{ license: { id: product?.license } }],
    },
  },
  components: runs.map(([path, one]) => ({
    'bom-ref': refOf(path),
    type: 'library',
    name: nameOf(path),
    version: one.version,
    scope: one.optional || one.dev ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: hex(one.integrity) }],
    licenses: [{ license: { id: one.license } }],
    purl: purlOf(path, one),
  })),
  dependencies: [
    { ref, dependsOn: [...needs('', product), ...bundledPaths].sort().map(refOf) },
    ...runs.map(([path, one]) => ({ ref: refOf(path), dependsOn: needs(path, one).map(refOf) })),
  ],
};

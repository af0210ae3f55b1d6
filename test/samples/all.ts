import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { schema } from '../../src/app/graph.ts';
import type { Environment } from '../../src/config/read-values.ts';
import { cursorText, globalId } from '../../src/kernel/ids.ts';
import { inJournal } from '../support/stop-switch.ts';
import { documentOf } from './document-of.ts';
import type {
  AddedInputs,
  Counts,
  FieldCost,
  Measured,
  NestedCosts,
  QuerySample,
  Sample,
  Samples,
  StoredObject,
} from './sample.ts';
import { cursorsOf, type Target, unknownUuid } from './target.ts';

interface SampleFile {
  /** The folder of the module. */
  readonly module: string;
  readonly samples?: Samples;
  readonly nestedCosts?: NestedCosts;
  readonly objects?: Readonly<Record<string, StoredObject>>;
  readonly addedInputs?: AddedInputs;
}

/** A sample with its root field, such as `Query.domain`. */
export type RootSample = Sample &
  Partial<QuerySample> & { readonly field: string; readonly module: string };

const root = fileURLToPath(new URL('../../', import.meta.url));
const files: readonly SampleFile[] = await Promise.all(
  globSync('src/**/test/samples.ts', { cwd: root })
    .sort()
    .map(async (file) => ({
      module: basename(join(file, '../..')),
      ...(await import(join(root, file))),
    })),
);

/** The root fields of the graph, such as `Query.domain`. */
export const rootFields: readonly string[] = [
  schema.getQueryType(),
  schema.getMutationType(),
  schema.getSubscriptionType(),
].flatMap((type) => Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`));

/** The samples of all modules, in the order of the fields in the schema. */
export const rootSamples: readonly RootSample[] = files
  .flatMap(({ module, samples = {} }) =>
    Object.entries(samples).map(([field, sample]: [string, Sample]) => ({
      ...{ field, module },
      ...sample,
    })),
  )
  .toSorted((one, other) => rootFields.indexOf(one.field) - rootFields.indexOf(other.field));

/** The samples of root fields with the rows of fields that a feature adds to their inputs. */
export const samplesOfAddedInputs: readonly RootSample[] = files.flatMap(({ addedInputs = {} }) =>
  rootSamples.flatMap((sample) => {
    const inputs = addedInputs[sample.field];
    return inputs ? { ...sample, inputs } : [];
  }),
);

/** The stored objects of all modules by name. */
export const objects: readonly (readonly [name: string, object: StoredObject])[] = files.flatMap(
  (file) => Object.entries(file.objects ?? {}),
);

/** Creates the object with the mutation that `send` sends, or in the journal of a gateway with these settings. Returns its id. */
export async function createObject(
  { type, create, insert }: StoredObject,
  label: string,
  { env, send }: { env: Environment; send: (document: string) => Promise<Data> },
): Promise<string> {
  if (create) {
    const [payload = {}] = Object.values(await send(`mutation { ${create(label)} }`));
    const [object] = Object.values(payload);
    return object.id;
  }
  let key = '';
  await inJournal(env, async ({ database }, account) => {
    key = (await insert?.(database, account, label)) ?? '';
  });
  return globalId(type, key);
}

type Data = Readonly<Record<string, object>>;

/** Ids, keys and a customer that the account does not have, and a domain by its name. */
export const unknownTarget = (name: string): Target => ({
  ...{ customer: 'zinc', name, label: name.replace(/\..*/, ''), objectLabel: 'other-object' },
  ...{ purchase: globalId('Purchase', unknownUuid), purchaseKey: 'other-key' },
  ...{ order: globalId('Order', unknownUuid), orderKey: 'other-order' },
  ...{ change: globalId('BulkChange', unknownUuid), changeKey: 'other-change' },
  event: unknownUuid,
  ids: Object.fromEntries(objects.map(([key, { type }]) => [key, globalId(type, unknownUuid)])),
  cursors: cursorsOf(name, cursorText([unknownUuid])),
});

/** A document, and the calls that the upstream receives for it; null when only its estimate is known. */
interface CostRow {
  readonly document: string;
  readonly counts: Counts | null;
  readonly estimate: number;
  /** Sent before; the id in its result is `$id`. */
  readonly before?: string;
}

const sum = (counts: Counts) => Object.values(counts).reduce((all, calls) => all + calls, 0);
const isMeasured = (cost: Counts | Measured): cost is Measured => typeof cost.counts === 'object';

function rowsOf(operation: string, { costs = {} }: FieldCost): readonly CostRow[] {
  return Object.entries(costs).map(([selection, cost]) => {
    const variables = selection.includes('$id') ? '($id: ID!) ' : '';
    const document = `${operation} ${variables}{ ${selection} }`;
    if (typeof cost === 'number') return { document, counts: null, estimate: cost };
    const measured: Measured = isMeasured(cost) ? cost : { counts: cost };
    return { estimate: sum(measured.counts), ...measured, document };
  });
}

function rowsOfSample(sample: RootSample): readonly CostRow[] {
  const [type = ''] = sample.field.split('.');
  const rows = rowsOf(type.toLowerCase(), sample);
  const { counts } = sample;
  if (!counts) return rows;
  const document = documentOf(sample, unknownTarget('unknown-harbor.com'));
  return [{ document, counts, estimate: sum(counts) }, ...rows];
}

/** The costs of all root fields, and of the fields below them that cause upstream calls. */
export const fieldCosts = [
  ...rootSamples.map((sample) => ({ ...sample, rows: rowsOfSample(sample) })),
  ...files.flatMap(({ nestedCosts = {} }) =>
    Object.entries(nestedCosts).map(([field, cost]) => {
      const operation = field.includes('Payload.') ? 'mutation' : 'query';
      return { ...cost, field, rows: rowsOf(operation, cost) };
    }),
  ),
];

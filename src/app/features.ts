import { StartError } from '../lib/errors.ts';
import type { Feature, OpenFeature, ProcessContext, RouteContext } from '../seam/feature.ts';
import type { Routes } from '../server/http/routes.ts';

/**
 * The features that `FEATURES` selects: `all`, `none`, a list of names, or a list of names with a minus, which it leaves out.
 *
 * @throws StartError for an unknown name, for both forms together, and for a feature without one that it uses.
 */
export function selectFeatures(all: readonly Feature[], text: string): readonly Feature[] {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  if (words.join() === 'all') return all;
  if (words.join() === 'none') return [];
  const leftOut = words.filter((word) => word.startsWith('-'));
  if (leftOut.length > 0 && leftOut.length < words.length) {
    throw new StartError(
      'FEATURES must be a list of names, or a list of names with a minus to leave out; it is both.',
    );
  }
  const names = new Set(words.map((word) => word.replace(/^-/, '')));
  const unknown = [...names].filter((name) => !all.some((feature) => feature.name === name));
  if (unknown.length > 0) {
    throw new StartError(
      `FEATURES has unknown names: ${unknown.join(', ')}. There are ${all.map(({ name }) => name).join(', ')}.`,
    );
  }
  const isLeftOut = leftOut.length > 0;
  const selected = all.filter(({ name }) => names.has(name) !== isLeftOut);
  const needs = selected.flatMap(({ name, uses }) => {
    const missing = uses.filter((used) => !selected.some((feature) => feature.name === used));
    return missing.length > 0 ? [`${name}, which needs ${missing.join(' and ')}`] : [];
  });
  if (needs.length > 0) {
    const complete = isLeftOut
      ? withDependents(all, names).map((name) => `-${name}`)
      : withUsed(all, names);
    throw new StartError(
      `FEATURES has ${needs.join('; ')}. Set FEATURES=${complete.join(',')} instead.`,
    );
  }
  return selected;
}

/** The names, with those of the features that they use. */
const withUsed = (all: readonly Feature[], names: ReadonlySet<string>): readonly string[] => {
  const found = new Set(names);
  for (const { name, uses } of all.toReversed()) {
    if (found.has(name)) for (const used of uses) found.add(used);
  }
  return namesIn(all, found);
};

/** The names, with those of the features that use them. */
const withDependents = (all: readonly Feature[], names: ReadonlySet<string>): readonly string[] => {
  const found = new Set(names);
  for (const { name, uses } of all) if (uses.some((used) => found.has(used))) found.add(name);
  return namesIn(all, found);
};

const namesIn = (all: readonly Feature[], names: ReadonlySet<string>): readonly string[] =>
  all.flatMap(({ name }) => (names.has(name) ? [name] : []));

/** Such as `Query.events`. */
export const rootFieldsOf = ({ rootFields = {} }: Pick<Feature, 'rootFields'>): readonly string[] =>
  Object.entries(rootFields).flatMap(([type, names]) => names.map((name) => `${type}.${name}`));

/** The names that only one feature may have, by their kind. */
const namesOf = ({
  name,
  settings,
  scopes = {},
  faults = {},
  tables = [],
  rootFields = {},
  nodes = [],
  fields = [],
  commands = {},
  heldState,
}: Feature) => ({
  name: [name],
  setting: Object.keys(settings?.rows ?? {}),
  scope: Object.keys(scopes),
  'error code': Object.keys(faults),
  command: Object.keys(commands),
  'held state': heldState ? ['HELD'] : [],
  table: tables.map((table) => table.name),
  'root field': rootFieldsOf({ rootFields }),
  type: nodes,
  field: fields,
});

/** @throws Error for two features with one name, such as that of a table or a type, and for a feature before one that it uses. */
export function checkFeatures(all: readonly Feature[]): void {
  const owners = new Map<string, string>();
  const started = new Set<string>();
  for (const feature of all) {
    const table = feature.tables?.find(({ name }) => !/^[a-z_]+$/.test(name));
    if (table)
      throw new Error(`The table ${table.name} of ${feature.name} needs a name of a to z and _.`);
    const later = feature.uses.find((used) => !started.has(used));
    if (later !== undefined) {
      throw new Error(
        `The feature ${feature.name} uses ${later}, which is not before it in the list.`,
      );
    }
    started.add(feature.name);
    for (const [what, names] of Object.entries(namesOf(feature))) {
      for (const name of names) {
        const owner = owners.get(`${what} ${name}`);
        if (owner !== undefined) {
          throw new Error(`The features ${owner} and ${feature.name} have one ${what}: ${name}.`);
        }
        owners.set(`${what} ${name}`, feature.name);
      }
    }
  }
}

/** What the tenants of a process get from its features. */
export type OpenFeatures = Required<Omit<OpenFeature, 'close'>>;

/** Opens the features in their order. `opened` closes them in the reverse order. */
export async function openFeatures(
  selected: readonly Feature[],
  context: ProcessContext,
  opened: AsyncDisposableStack,
): Promise<OpenFeatures> {
  const fills: OpenFeatures['fills'][] = [];
  const background: OpenFeatures['background'][] = [];
  for (const { parts } of selected) {
    const feature = (await parts?.())?.open(context);
    if (!feature) continue;
    if (feature.close) opened.defer(() => feature.close?.());
    fills.push(feature.fills ?? []);
    background.push(feature.background ?? []);
  }
  return { fills: fills.flat(), background: background.flat() };
}

/** The pages of features. */
export const pagesOf = async (selected: readonly Feature[]) =>
  (await Promise.all(selected.map(({ pages }) => pages?.() ?? []))).flat();

/** The tabs of GraphiQL that features add. */
export const examplesOf = async (selected: readonly Feature[]) =>
  (await Promise.all(selected.map(({ examples }) => examples?.() ?? []))).flat();

/** Creates the routes of features, one list for each. */
export async function routesOf(selected: readonly Feature[]) {
  const creates = await Promise.all(selected.flatMap(({ routes }) => routes?.() ?? []));
  return (context: RouteContext): readonly Routes[] => creates.map((create) => create(context));
}

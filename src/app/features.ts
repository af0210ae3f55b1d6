import { StartError } from '../lib/start-error.ts';
import type { CreateRoutes, Feature } from '../seam/feature.ts';
import type { Routes } from '../server/http/routes.ts';

/**
 * The features that `FEATURES` selects: `all`, `none`, names that are there, or names with a minus that are not.
 *
 * @throws StartError for an unknown name, for both forms together, and for a feature without one that it uses.
 */
export function selectFeatures(all: readonly Feature[], text: string): readonly Feature[] {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  if (words.join() === 'all') return all;
  if (words.join() === 'none') return [];
  const left = words.filter((word) => word.startsWith('-'));
  if (left.length > 0 && left.length < words.length) {
    throw new StartError(
      'FEATURES must have names that are there, or names with a minus that are not; it has both.',
    );
  }
  const names = new Set(words.map((word) => word.replace('-', '')));
  const unknown = [...names].filter((name) => !all.some((feature) => feature.name === name));
  if (unknown.length > 0) {
    throw new StartError(
      `FEATURES has unknown names: ${unknown.join(', ')}. There are ${all.map(({ name }) => name).join(', ')}.`,
    );
  }
  const selected = all.filter(({ name }) => names.has(name) !== left.length > 0);
  for (const { name, uses } of selected) {
    const missing = uses.filter((used) => !selected.some((feature) => feature.name === used));
    if (missing.length > 0) {
      throw new StartError(
        `FEATURES has ${name}, which needs ${missing.join(', ')}: add that, or leave ${name} out.`,
      );
    }
  }
  return selected;
}

/** What only one feature may have, by the word for it. */
const namesOf = ({ name, tables = [], rootFields = {}, nodes = [], fields = [] }: Feature) => ({
  name: [name],
  table: tables.map((table) => table.name),
  'root field': Object.values(rootFields).flat(),
  type: nodes,
  field: fields,
});

/** @throws Error for two features with one name, table, type or field, and for a feature before one that it uses. */
export function checkFeatures(all: readonly Feature[]): void {
  const owners = new Map<string, string>();
  const started = new Set<string>();
  for (const feature of all) {
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

/** The routes of features. @throws Error for two with one path */
export async function routesOf(selected: readonly Feature[]) {
  const creates = await Promise.all(
    selected.map(async ({ name, routes }) => ({ name, create: await routes?.() })),
  );
  return (context: Parameters<CreateRoutes>[0]): Routes => {
    const all: Record<string, Routes[string]> = {};
    for (const { name, create } of creates) {
      for (const [path, route] of Object.entries(create?.(context) ?? {})) {
        if (path in all) throw new Error(`Two features have the path ${path}; one is ${name}.`);
        all[path] = route;
      }
    }
    return all;
  };
}

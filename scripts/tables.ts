import { globSync } from 'node:fs';
import { join } from 'node:path';
import { logins } from '../sandbox/service/seed.ts';
import { settings } from '../src/app/read-config.ts';
import { accessScopes } from '../src/kernel/caller.ts';
import { schema } from '../src/app/graph.ts';
import { faults } from '../src/kernel/faults.ts';
import { npmScript } from '../src/lib/command-names.ts';
import { commandNames, commands } from '../src/package/command-line.ts';
import { documentLimits, jsonLimits } from '../src/server/graphql/limits/limits.ts';
import { boundaries } from '../test/architecture/boundaries.ts';
import { productFolders, readSources, root } from '../test/architecture/modules.ts';
import { filesByTag } from '../test/architecture/promise-index.ts';
import { promises } from '../test/promises.ts';
import { fieldCosts } from '../test/samples/all.ts';
import { peers } from './compatibility.ts';
import { costField } from './cost-rows.ts';
import { code, codes, table } from './markdown.ts';
import {
  adminNotes,
  demoDomains,
  namedFaults,
  oddReplyNotes,
  stateNotes,
} from './sandbox-notes.ts';

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
/** The fields of the graph, those of the root types first. */
const fields = [...roots, ...Object.values(schema.getTypeMap())].flatMap((type) =>
  type && 'getFields' in type
    ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`)
    : [],
);
const orderedCosts = fieldCosts.toSorted(
  (one, other) => fields.indexOf(one.field) - fields.indexOf(other.field),
);

/** The rows of the README. */
const summaryFields = [
  'Query.availabilities',
  'Query.searchDomains',
  'Query.domain',
  'Query.domains',
  'Mutation.registerDomain',
  'Mutation.setNameServers',
];

/** A value is shown as code, a sentence as it is. */
const shownDefault = (text: string) => (/[ `]/.test(text) || text === 'none' ? text : code(text));

const availabilityCell = ([state, errorCode]: readonly [string, string | null, number]) =>
  errorCode ? `${code(state)}, ${code(errorCode)}` : code(state);

const limitCell = ({ most, what }: { readonly most: number; readonly what: string }) =>
  `${most.toLocaleString('en')} ${what}`;

/** The tables of features. */
const ofFeatures: readonly Readonly<Record<string, () => string>>[] = await Promise.all(
  globSync('src/features/*/test/tables.ts', { cwd: root }).map(
    async (file) => (await import(join(root, file))).tables,
  ),
);

/** Generated tables by the name in their `<!-- table: name -->` marker. */
export const tables: Readonly<Record<string, () => string>> = {
  ...Object.assign({}, ...ofFeatures),
  calls: () =>
    table(
      ['query, mutation, subscription or field', 'upstream calls', 'exceptions'],
      orderedCosts.map(({ field, calls, exceptions = '–' }) => [
        costField(field),
        calls,
        exceptions,
      ]),
    ),
  summary: () =>
    table(
      ['field', 'upstream calls'],
      summaryFields.map((name) => {
        const cost = fieldCosts.find(({ field }) => field === name);
        if (!cost) throw new Error(`There is no cost of ${name}.`);
        return [costField(name), cost.calls];
      }),
    ),
  settings: () =>
    table(
      ['setting', 'default', 'meaning'],
      settings.map(({ name, default: shown, description, secret }) => [
        code(name),
        shownDefault(shown),
        secret ? `${description} Secret, so also as ${code(`${name}_FILE`)}.` : description,
      ]),
    ),
  compatibility: () =>
    table(
      ['client or server', 'version', 'tried', 'test'],
      peers.map(({ name, version, tried, test }) => [
        name,
        version,
        tried,
        `[${test.replace(/^test\//, '')}](../${test}.test.ts)`,
      ]),
    ),
  limits: () =>
    table(
      ['part', 'limit'],
      [
        ...Object.values(documentLimits).map((one) => ['document', limitCell(one)]),
        ...Object.values(jsonLimits).map((one) => ['JSON of a request', limitCell(one)]),
      ],
    ),
  errors: () =>
    table(
      ['code', 'category', 'sentence', 'retryable', 'executed', 'type in a payload'],
      Object.entries(faults).map(([name, { category, message, retryable, executed, type }]) => [
        code(name),
        code(category),
        message,
        retryable ? 'yes' : 'no',
        executed,
        code(type),
      ]),
    ),
  commands: () =>
    table(
      ['in a clone', 'with the package', 'does'],
      commandNames.map((name) => [
        code(npmScript(name)),
        code(`npx reseller-graph${name === 'start' ? '' : ` ${name}`}`),
        commands[name].does,
      ]),
    ),
  scopes: () =>
    table(
      ['scope', 'permission'],
      Object.entries(accessScopes).map(([name, allows]) => [code(name), allows]),
    ),
  promises: () => {
    const files = filesByTag(readSources(...productFolders, 'test'));
    return table(
      ['id', 'promise', 'tests'],
      Object.entries(promises).map(([id, promise]) => [
        promise === null ? `[${id}](../purchases.md#promises)` : id,
        promise ?? 'see the link',
        (files.get(id) ?? [])
          .map((path) => `[${path.replace('test/', '')}](../../${path})`)
          .join('<br>'),
      ]),
    );
  },
  boundaries: () =>
    table(
      ['folder', 'may import', 'may import types of'],
      Object.entries(boundaries).map(([folder, { imports, types }]) => [
        code(folder),
        codes(imports),
        codes(types),
      ]),
    ),
  logins: () =>
    table(
      ['user name', 'password', 'Account API token', 'balances'],
      logins.map(({ username, token, usd, tl }) => [
        code(username),
        code(`${username}-password`),
        code(token),
        `${usd} USD, ${tl} TRY`,
      ]),
    ),
  domains: () =>
    table(
      ['name', '`state`', 'property'],
      demoDomains.map(([name, state, shows]) => [code(name), code(state), shows]),
    ),
  faults: () =>
    table(
      ['name begins with', 'the sandbox …', '`availability` returns', 'attempts'],
      namedFaults.map(({ fault, service, availability }) => [
        code(`${fault}-`),
        service,
        availabilityCell(availability),
        String(availability[2]),
      ]),
    ),
  states: () =>
    table(
      ['name begins with', '`state`', 'property'],
      Object.entries(stateNotes)
        .filter(([name]) => name !== 'active')
        .map(([name, [state, shows]]) => [code(`${name}-`), code(state), shows]),
    ),
  replies: () =>
    table(
      ['token ends with', 'reply'],
      Object.entries(oddReplyNotes).map(([name, reply]) => [code(`.${name}`), reply]),
    ),
  admin: () =>
    table(
      ['call', 'effect'],
      Object.entries(adminNotes).map(([call, does]) => [code(call), does]),
    ),
};

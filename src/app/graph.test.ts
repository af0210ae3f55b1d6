import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSchema, isObjectType, printSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { withParts } from '../../test/support/with-parts.ts';
import { features } from '../features/index.ts';
import { anonymous } from '../kernel/caller.ts';
import { globalId } from '../kernel/ids.ts';
import { rootFieldsOf } from './features.ts';
import { schema, servedSchema } from './graph.ts';

const serving = { featureValues: {}, introspection: 'caller' as const };

describe.each(features.map((feature) => [feature.name, feature] as const))(
  'a graph without the feature %s',
  (_name, feature) => {
    const remaining = servedSchema(
      serving,
      features.filter((one) => one !== feature && !one.uses.includes(feature.name)),
    );
    const lines = (text: string) => new Set(text.split('\n'));
    const whole = lines(printSchema(servedSchema(serving, features)));

    test('has only lines of the whole graph, and is valid', () => {
      const text = printSchema(remaining);
      const lists = /^union |^ {2}\| | Codes?: `/;
      const added = [...lines(text)].filter((line) => !whole.has(line) && !lists.test(line));

      expect(added).toEqual([]);
      expect(() => buildSchema(text)).not.toThrow();
    });

    test('has none of its types and fields', () => {
      const { nodes = [], fields = [] } = feature;
      const names = [...fields, ...rootFieldsOf(feature)];
      const found = names.filter((name) => {
        const [typename = '', field = ''] = name.split('.');
        const type = remaining.getType(typename);
        return isObjectType(type) && field in type.getFields();
      });

      expect(found).toEqual([]);
      expect(nodes.filter((name) => remaining.getType(name))).toEqual([]);
    });

    test.each((feature.nodes ?? []).map((name) => [name] as const))(
      'finds no %s by its id, and reads no store',
      async (typename) => {
        const id = globalId(typename, 'a');
        const scope = { caller: { ...anonymous, scopes: new Set() }, ...withParts({}) };
        const [node, nodes] = ['node', 'nodes'].map(
          (name) => remaining.getQueryType()?.getFields()[name]?.resolve,
        );
        const info = { schema: remaining } as never;

        expect(await node?.({}, { id }, scope, info)).toBeNull();
        expect(await Promise.all((await nodes?.({}, { ids: [id] }, scope, info)) as [])).toEqual([
          null,
        ]);
      },
    );
  },
);

test('the graph of all features is the whole graph', () => {
  expect(servedSchema(serving, features)).toBe(schema);
});

test('a process that loads some features has their part of the whole graph', () => {
  const alone = features.map(({ name, uses }) => [...uses, name]);
  const lists = [[], ...alone, ['order', 'approval'], features.map(({ name }) => name)];
  const program = join(import.meta.dirname, '../../test/app/graph-by-graph.ts');
  const output = execFileSync(process.execPath, [program, ...lists.map(String)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });
  const partOf = (names: readonly string[]) =>
    servedSchema(
      serving,
      features.filter(({ name }) => names.includes(name)),
    );

  const graphs = output.trim().split('\n');
  expect(graphs.map((line) => JSON.parse(line))).toEqual(
    lists.map((names) => printSchema(partOf(names))),
  );
});

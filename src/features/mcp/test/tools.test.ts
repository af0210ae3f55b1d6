import { describe, expect, test } from 'vitest';
import { importsOfAll, readProduct } from '../../../../test/architecture/modules.ts';
import { readText } from '../../../../test/docs/markdown.ts';
import { schema } from '../../../app/graph.ts';
import { allAccessScopes, anonymous } from '../../../kernel/caller.ts';
import type { Feature } from '../../../seam/feature.ts';
import { features } from '../../index.ts';
import { gatewayTool, readTools } from '../read-tools.ts';
import { toolboxOf, toolboxWith, toolsOfFeatures } from './toolbox.ts';

const tools = toolboxOf().list(anonymous);
const without = (left: Feature): readonly Feature[] =>
  features.filter((one) => one !== left && !one.uses.includes(left.name));

test('every document is valid, and the schemas of all tools are those of the snapshot', async () => {
  const listed = toolboxOf().list(anonymous);

  await expect(JSON.stringify(listed, null, 2)).toMatchFileSnapshot('tools.snap');
});

test('a prefix of type names changes no tool', () => {
  expect(toolboxOf({ typePrefix: 'Acme' }).list(anonymous)).toEqual(tools);
});

test.each([['all', []], ...features.map((one) => [one.name, without(one)] as const)] as const)(
  'every document is valid without %s of the features',
  async (_name, selected) => {
    const remaining = (await toolboxWith(selected)).list(anonymous);
    const known = tools.map(({ name }) => name);

    expect(remaining.length).toBeGreaterThan(5);
    expect(remaining.filter(({ name }) => !known.includes(name))).toEqual([]);
  },
);

describe.each(tools)('$name', ({ name, title, description, inputSchema }) => {
  test('is on its page', () => {
    expect(readText('docs/mcp.md')).toContain(`\`${name}\``);
  });

  test('has a title, and a description with its upstream calls', () => {
    expect(title.length).toBeGreaterThan(8);
    expect(description).toMatch(/Upstream calls: |handle buys once/);
  });

  test('describes every argument, and accepts no other', () => {
    for (const [argument, one] of Object.entries(inputSchema.properties)) {
      expect([argument, one.description]).toEqual([argument, expect.any(String)]);
    }
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  });

  test('has a name that every client accepts', () => {
    expect(name).toMatch(/^[a-z_]{1,40}$/);
  });
});

test('no tool that reads selects a secret or a contact, and each is a query', {
  tags: ['M2'],
}, () => {
  const all = [readTools, { gatewayTool }, ...toolsOfFeatures.map(({ reading = {} }) => reading)];
  for (const { document } of all.flatMap((tools) => Object.values(tools))) {
    expect(document.trim()).toMatch(/^query /);
    expect(document).not.toMatch(/authCode|contacts|registrant|email|phone/);
  }
});

test('only the tools of changes need a scope to write', () => {
  const reading = allAccessScopes.filter((scope) => /:(check|read|spend)$/.test(scope));
  const names = toolboxOf()
    .list({ ...anonymous, scopes: new Set(reading) })
    .map(({ name }) => name);
  const others = tools.filter(({ name }) => !/change/.test(name)).map(({ name }) => name);

  expect(names).toEqual(others);
  expect(others).toHaveLength(tools.length - 3);
});

test('descriptions have words of the tools only', () => {
  const text = JSON.stringify(tools);
  const words = [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  const names = new Set([
    ...tools.map(({ name }) => name),
    ...[...text.matchAll(/"(\w+)":\{/g)].map(([, name]) => name),
    ...['ACTIVE', 'USD', 'DE', 'com', 'maple', 'golden bakery', 'maple.com', '2026-11-30'],
    ...['+49 30 123456', '{}'],
  ]);
  const types = Object.keys(schema.getTypeMap()).filter((name) => /[a-z][A-Z]/.test(name));
  const fields = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const descriptions = text.match(/"description":"(?:[^"\\]|\\.)*"/g)?.join('\n') ?? '';
  const ofGraph = [...types, ...fields].filter((name) => !names.has(name));

  expect(words.filter((word) => !names.has(word))).toEqual([]);
  expect(descriptions.split('\n').length).toBeGreaterThan(60);
  expect(descriptions).not.toMatch(new RegExp(`\\b(?:${ofGraph.join('|')})\\b`));
  expect(descriptions).not.toMatch(/:(?:write|read|spend)\b|\$/);
});

test('the start of the gateway imports no file of the tools but those without the SDK', () => {
  const files = readProduct();
  const reached = new Set<string>();
  const packages = new Set<string>();
  const reach = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    const source = files.get(path);
    if (source === undefined) return;
    for (const { target, specifier, isType } of importsOfAll(new Map([[path, source]]))) {
      if (isType || source.includes(`import('${specifier}')`)) continue;
      if (target) reach(target);
      else packages.add(specifier);
    }
  };
  reach('src/features/mcp/index.ts');
  reach('src/features/mcp/route.ts');

  expect(reached).toContain('src/features/mcp/handle.ts');
  expect(reached).not.toContain('src/features/mcp/mcp-server.ts');
  expect([...packages].filter((name) => name.startsWith('@modelcontextprotocol/'))).toEqual([]);
});

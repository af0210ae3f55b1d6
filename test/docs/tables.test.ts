import { isEnumType, isObjectType, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { pageText, productPages } from '../../scripts/tables.ts';
import { testPages } from '../../scripts/test-tables.ts';
import { schema } from '../../src/app/graph.ts';
import { settings } from '../../src/app/read-config.ts';
import { accessScopes } from '../../src/kernel/caller.ts';
import { faults } from '../../src/kernel/faults.ts';
import { npmScript } from '../../src/lib/programs.ts';
import { commandNames, commands } from '../../src/package/command-line.ts';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';
import { fieldCosts } from '../samples/all.ts';
import { blocksOf, markdownFiles, plain, readText, rowsOf } from './markdown.ts';

test.each(Object.entries({ ...productPages, ...testPages }))(
  '`npm run docs` makes docs/reference/%s.md, whose rows have the cells of the head',
  (_name, page) => {
    const lines = pageText(page)
      .split('\n')
      .filter((line) => line.startsWith('| '));
    let columns = 0;
    for (const [index, line] of lines.entries()) {
      const cells = line.split(/(?<!\\) ?\| ?/).length;
      if (lines[index + 1]?.startsWith('| --- |')) columns = cells;
      expect([line, cells]).toEqual([line, columns]);
    }
    expect(lines.length).toBeGreaterThan(5);
  },
);

test('.env.example has every setting', () => {
  const shown = [...readText('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);

  expect(shown.slice(-settings.length)).toEqual(settings.map(({ name }) => name));
});

test('the table of scopes has every scope with its permission', () => {
  expect(rowsOf(readText('docs/authentication.md'), 'Scopes')).toEqual(
    Object.entries(accessScopes).map(([name, allows]) => [`\`${name}\``, allows]),
  );
});

test('the table of commands has every command', () => {
  const shown = rowsOf(readText('docs/embedding.md'), 'The command');

  expect(shown).toEqual(
    commandNames.map((name) => [
      `\`${npmScript(name)}\``,
      expect.stringContaining(name === 'start' ? 'npx reseller-graph' : ` ${name}\``),
      commands[name].does,
    ]),
  );
});

test('the table of errors has the facts of each code in it', () => {
  const shown = rowsOf(readText('docs/errors.md'), 'Codes').map((row) => row.map(plain));

  expect(shown.length).toBeGreaterThan(15);
  expect(shown.map(([code = '', , executed, retryable]) => [code, executed, retryable])).toEqual(
    shown.map(([code = '']) => {
      const fault = Object.entries(faults).find(([name]) => name === code)?.[1];
      return [code, fault?.executed, fault?.retryable ? 'yes' : 'no'];
    }),
  );
});

test('the README has the calls of the samples', { tags: ['R15'] }, () => {
  const shown = rowsOf(readText('README.md'), 'What a query costs');

  expect(shown.length).toBeGreaterThan(5);
  for (const [field, calls] of shown) {
    const isIt = (name: string) => /^(?:Query|Mutation)\.(.*)/.exec(name)?.[1] === plain(field);
    expect([field, calls]).toEqual([field, fieldCosts.find((cost) => isIt(cost.field))?.calls]);
  }
});

/** Their descriptions name the types or the fields whose calls they make. */
const byOthers = ['Query.node', 'Mutation.placeOrder', 'Event.domain'];

test('the description of a field names the upstream actions that it costs', () => {
  const actions = new Set(Object.keys(domainApi));
  const missing = fieldCosts.flatMap(({ field, calls }) => {
    const [typeName = '', name = ''] = field.split('.');
    const type = schema.getType(typeName);
    const text = isObjectType(type) ? (type.getFields()[name]?.description ?? '') : '';
    const named = [...calls.matchAll(/`(\w+)`/g)].map(([, action = '']) => action);
    return named.some((one) => actions.has(one) && !text.includes(one)) ? field : [];
  });

  expect(missing).toEqual(byOthers);
});

/** Codes of the registrar and of the typed client, and a setting of the SDK of OpenTelemetry. */
const ofOthers =
  /^(?:API_\d+_ERROR|HTTP_\d+|INVALID_(?:CONTACT_INFO|DOMAIN_DETAILS|DOMAIN_LIST|RESPONSE|SIGNATURE)|OTEL_EXPORTER_OTLP_TIMEOUT|WEBHOOK_TEST)$/;

test('each name in capitals in the documents is a setting, an error code or a value of an enum', () => {
  const values = Object.values(schema.getTypeMap()).flatMap((type) =>
    isEnumType(type) ? type.getValues().map(({ name }) => name) : [],
  );
  const known = new Set<string>([
    ...settings.flatMap(({ name }) => [name, `${name}_FILE`]),
    ...Object.keys(faults),
    ...values,
  ]);
  const named = markdownFiles
    .filter((file) => file.startsWith('docs/'))
    .flatMap((file) => [...readText(file).matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)])
    .map(([, name = '']) => name);

  expect(named.length).toBeGreaterThan(200);
  expect(named.filter((name) => !known.has(name) && !ofOthers.test(name))).toEqual([]);
});

test('each field of a type in the documents exists', () => {
  const named = markdownFiles
    .filter((file) => file.startsWith('docs/'))
    .flatMap((file) => [...readText(file).matchAll(/`([A-Z]\w+)\.(\w+)/g)])
    .flatMap(([, name = '', field = '']) => {
      const type = schema.getType(name);
      return type && 'getFields' in type ? [{ field, fields: type.getFields() }] : [];
    });

  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ field, fields }) => !(field in fields)).map(({ field }) => field)).toEqual(
    [],
  );
});

test('each request in the documents is valid', () => {
  const requests = markdownFiles
    .flatMap((file) => blocksOf(file, 'graphql'))
    .filter((text) => /^(?:\{|query|mutation|subscription)/.test(text));
  const problems = requests.flatMap((text) => validate(schema, parse(text)));

  expect(requests.length).toBeGreaterThan(40);
  expect(problems.map(({ message }) => message)).toEqual([]);
});

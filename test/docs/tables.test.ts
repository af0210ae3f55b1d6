import { expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { settings } from '../../src/app/read-config.ts';
import { faults } from '../../src/kernel/faults.ts';
import { boundaries } from '../architecture/boundaries.ts';
import { rootSamples } from '../samples/all.ts';
import { plain, readText, rowsOf } from './markdown.ts';

test('the table of settings has every setting with its default', () => {
  const shown = rowsOf('docs/settings.md', 'settings').map((row) => row.map(plain));

  expect(shown.map(([name, initial]) => [name, initial])).toEqual(
    settings.map((setting) => [setting.name, plain(setting.default)]),
  );
  for (const [index, { name, description, secret }] of settings.entries()) {
    expect(shown[index]?.[2]).toContain(plain(description));
    expect(shown[index]?.[2]?.includes(`${name}_FILE`)).toBe(secret);
  }
});

test('.env.example has every setting', () => {
  const shown = [...readText('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);

  expect(shown.slice(-settings.length)).toEqual(settings.map(({ name }) => name));
});

test('the table of errors has every code with its properties', () => {
  const shown = rowsOf('docs/errors.md', 'errors');

  expect(shown.map(([code]) => plain(code))).toEqual(Object.keys(faults));
  expect(shown.map(([, ...facts]) => facts)).toEqual(
    Object.values(faults).map(({ category, message, retryable, executed, type }) => [
      `\`${category}\``,
      message,
      retryable ? 'yes' : 'no',
      executed,
      `\`${type}\``,
    ]),
  );
});

test('the table of costs has every root field with a sample once, and only fields of the schema', {
  tags: ['R15'],
}, () => {
  const shown = rowsOf('docs/costs.md', 'calls').map(([field]) => plain(field));
  const fields = rootSamples.map(({ field }) => field.replace(/.*\./, ''));

  expect(shown.filter((field) => !field.includes('.')).sort()).toEqual(fields.sort());
  for (const nested of shown.filter((field) => field.includes('.'))) {
    const [type = '', field = ''] = nested.split('.');
    expect(schema.getType(type)?.toConfig(), nested).toHaveProperty(['fields', field]);
  }
});

test('the table of boundaries has every folder', () => {
  const folders = rowsOf('docs/internals/architecture.md', 'boundaries').map(([folder]) =>
    plain(folder),
  );
  expect(folders).toEqual(Object.keys(boundaries));
});

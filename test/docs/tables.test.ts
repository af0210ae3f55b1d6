import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { settings } from '../../src/config/settings.ts';
import { faults } from '../../src/kernel/faults.ts';
import { schema } from '../../src/modules/index.ts';
import { doors } from '../architecture/doors.ts';
import { plain, readText, root, rowsOf } from './markdown.ts';

const run = promisify(execFile);

test('every setting stands in its table with its default, and nothing else does', () => {
  const shown = rowsOf('docs/settings.md', 'settings').map((row) => row.map(plain));

  expect(shown.map(([name, initial]) => [name, initial])).toEqual(
    settings.map((setting) => [setting.name, plain(setting.default)]),
  );
  for (const [index, { name, description, secret }] of settings.entries()) {
    expect(shown[index]?.[2]).toContain(plain(description));
    expect(shown[index]?.[2]?.includes(`${name}_FILE`)).toBe(secret);
  }
});

test('every setting stands in .env.example', () => {
  const shown = [...readText('.env.example').matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);

  expect(shown).toEqual(settings.map(({ name }) => name));
});

test('every error code stands in its table with what is known of it, and nothing else does', () => {
  const shown = rowsOf('docs/errors.md', 'errors');

  expect(shown.map(([code]) => plain(code))).toEqual(Object.keys(faults));
  expect(shown.map(([, ...facts]) => facts)).toEqual(
    Object.values(faults).map(({ message, retryable, executed, topLevel }) => [
      message,
      retryable ? 'yes' : 'no',
      executed,
      `\`${topLevel}\``,
    ]),
  );
});

test('every root field stands in the table of upstream calls once, and nothing that does not exist', () => {
  const shown = rowsOf('README.md', 'calls').map(([field]) => plain(field));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));

  expect(fields.length).toBeGreaterThan(20);
  expect(shown.filter((field) => !field.includes('.')).sort()).toEqual(fields.sort());
  for (const nested of shown.filter((field) => field.includes('.'))) {
    const [type = '', field = ''] = nested.split('.');
    expect(schema.getType(type)?.toConfig(), nested).toHaveProperty(['fields', field]);
  }
});

test('every room stands in the table of doors', () => {
  expect(rowsOf('README.md', 'doors').map(([room]) => plain(room))).toEqual(Object.keys(doors));
});

test('every table is the one that "npm run docs" writes', async () => {
  await expect(
    run(process.execPath, ['scripts/docs.ts', '--check'], { cwd: root }),
  ).resolves.toEqual({ stdout: '', stderr: '' });
});

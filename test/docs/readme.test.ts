import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { anchorsOf, blocksOf, linksOf, markdownFiles, readText, root } from './markdown.ts';

describe('the first screen', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ accountToken: null, env: { PRICES_FILE: '' } });
  });
  afterAll(() => gateway?.close());

  const [screen = ''] = readText('README.md').split('\n## ');

  test('has one command that runs the gateway and one that tests it', () => {
    expect(blocksOf('README.md', 'sh')).toEqual(['npm ci && npm start\n', 'npm ci && npm test\n']);
    expect(screen).toContain('\n```sh\nnpm ci && npm start\n```\n');
    expect(screen).toContain('\n```sh\nnpm ci && npm test\n```\n');
  });

  test('fits on one screen', () => {
    const [commands = ''] = screen.split('\n![');

    expect(commands.trimEnd().split('\n').length).toBeLessThanOrEqual(46);
  });

  test('has a query with the response of a new sandbox', { tags: ['R1'] }, async () => {
    const [document = ''] = blocksOf('README.md', 'graphql');
    const shown = JSON.parse(blocksOf('README.md', 'json')[0] ?? '');

    const { data, errors, extensions } = await gateway.query(document);

    expect(errors).toBeUndefined();
    expect(data).toEqual(shown.data);
    expect(timeless(extensions)).toEqual(timeless(shown.extensions));
  });
});

/** Replaces durations, which differ between runs, by their type. */
const timeless = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, one) => (key === 'durationMs' ? typeof one : one));

describe.each(markdownFiles)('%s', (file) => {
  const text = readText(file);

  test('every link has a target', () => {
    const broken = linksOf(text).filter((link) => {
      const [path = '', fragment] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(root, target))) return true;
      return fragment !== undefined && !anchorsOf(readText(target)).includes(fragment);
    });

    expect(broken).toEqual([]);
  });

  test('every npm script exists', () => {
    const scripts = Object.keys(JSON.parse(readText('package.json')).scripts);
    const named = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name = '']) => name);

    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  test('every file exists', () => {
    const named = [...text.matchAll(/`((?:src|test|scripts|\.ci)\/[\w./-]+)`/g)];
    const missing = named
      .map(([, path = '']) => path)
      .filter(
        (path) => !existsSync(join(root, path)) && !existsSync(join(root, dirname(file), path)),
      );

    expect(missing).toEqual([]);
  });
});

test('the checks find files and links', () => {
  expect(markdownFiles.length).toBeGreaterThan(4);
  expect(readText('README.md').match(/\]\(docs\//g)?.length).toBeGreaterThan(2);
});

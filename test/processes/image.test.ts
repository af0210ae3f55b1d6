import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startCollector } from '../support/collector.ts';
import { isLong } from '../support/long.ts';
import { because } from '../support/skipped.ts';

const root = new URL('../..', import.meta.url).pathname;
const readText = (file: string) => readFileSync(join(root, file), 'utf8');

/** Files and folders that reach the build. */
const context = [...readText('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path);
/** The command of the image. */
const [, command = ''] = /^CMD (\[.*\])$/m.exec(readText('Dockerfile')) ?? [];
const [node, ...args]: readonly string[] = JSON.parse(command);

/** As a container engine, the tests need mounts and a second user. */
const whyNoImage =
  spawnSync('unshare', ['--mount', 'chroot', '--userspec=65532:65532', '/', 'true']).status === 0
    ? null
    : 'run as root on Linux, where mounts and other users are allowed';

describe.skipIf(whyNoImage)(`the image${because(whyNoImage)}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-image-'));
  const application = join(folder, 'application');
  const image = join(folder, 'image');

  beforeAll(() => {
    mkdirSync(application);
    for (const path of context) {
      cpSync(join(root, path), join(application, path), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(application, 'node_modules'));
    // The long form builds from the files of the context; the short form has the bundle that Vitest has built.
    if (isLong) execFileSync(process.execPath, [join(application, 'scripts/build.ts')]);
    else cpSync(join(root, 'dist'), join(application, 'dist'), { recursive: true });
    execFileSync(process.execPath, [
      join(application, 'deploy/image/root.mjs'),
      ...[application, image],
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('responds from a read-only file system without a shell, as an unprivileged user, and exports traces', async () => {
    const collector = await startCollector();
    onTestFinished(() => collector.close());
    const steps = [
      `mount --bind ${image} ${image}`,
      `mount -o remount,bind,ro ${image}`,
      `mount -t tmpfs -o uid=65532,size=64m none ${image}/data`,
      `exec chroot --userspec=65532:65532 ${image} /usr/bin/${node} ${args.join(' ').replace('dist/', '/app/dist/')}`,
    ].join(' && ');
    const gateway = spawn('unshare', ['--mount', 'sh', '-c', steps], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        SANDBOX_PORT: '0',
        SANDBOX_LATENCY: 'none',
        DATA_DIR: '/data',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = Promise.withResolvers<string>();
    onTestFinished(() => void gateway.kill('SIGKILL'));
    let text = '';
    const collect = (chunk: Buffer) => {
      text += chunk;
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (origin) printed.resolve(origin);
    };
    gateway.stdout.on('data', collect);
    gateway.stderr.on('data', collect);
    gateway.once('exit', () => printed.reject(new Error(text)));

    const response = await fetch(`${await printed.promise}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ reseller { name } }' }),
    });
    const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');

    expect(await response.json()).toMatchObject({ data: { reseller: { name: 'Demo Reseller' } } });
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).toBe('65532');

    gateway.kill('SIGTERM');
    expect(await once(gateway, 'exit')).toEqual([0, null]);
    expect(collector.spans().map(({ name }) => name)).toContain('resellerdetails');
  });

  test('has the program of each service, and of the commands in containers', () => {
    const commands = ['Dockerfile', 'docker-compose.yml', 'docs/operating.md'].map(readText).join();
    const programs = new Set([...commands.matchAll(/\bdist\/[\w-]+\.js\b/g)].map(([path]) => path));

    expect([...programs]).toEqual([
      ...['dist/main.js', 'dist/sandbox-main.js', 'dist/reseller-graph.js'],
    ]);
    expect([...programs].filter((path) => !existsSync(join(image, 'app', path)))).toEqual([]);
  });

  test('contains no program but Node', () => {
    const folders = new Set(['app', 'data', 'lib', 'lib64', 'tmp', 'usr']);

    expect(readdirSync(image).filter((name) => !folders.has(name))).toEqual([]);
    expect(readdirSync(join(image, 'usr/bin'))).toEqual(['node']);
    expect(readdirSync(join(image, 'app')).sort()).toEqual(['dist', 'package.json']);
  });
});

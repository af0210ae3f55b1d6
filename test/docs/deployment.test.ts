import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultCloseMs } from '../../src/app/compose.ts';
import { readConfig, settings } from '../../src/app/read-config.ts';
import { because } from '../support/skipped.ts';
import { readText, root } from './markdown.ts';

const folder = 'deploy/kubernetes';
const manifests = readdirSync(join(root, folder))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => `${folder}/${name}`);
const compose = readText('docker-compose.yml');
const deployment = readText(`${folder}/deployment.yaml`);
const podSettings = readText(`${folder}/settings.env`);
const all = ['docker-compose.yml', ...manifests].map(readText).join('\n');

/** Variables of other images, and of the separate sandbox. */
const ofOthers = /^(?:POSTGRES_|SANDBOX_HOST$)/;

test('every variable is a setting, and every file contains a secret', () => {
  const names = new Set(settings.map(({ name }) => name as string));
  const secrets = new Set(
    settings.filter(({ secret }) => secret).map(({ name }) => `${name}_FILE`),
  );
  const named = [...all.matchAll(/(?:^ +|\bname: )([A-Z][A-Z_]{3,})(?=[:,])/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !ofOthers.test(name));

  named.push(...[...podSettings.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name));
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((name) => !names.has(name) && !secrets.has(name))).toEqual([]);
});

test('the instructions create every secret file', () => {
  const mounted = (text: string, path: RegExp) =>
    [...new Set([...text.matchAll(path)].map(([, name = '']) => name))].sort();
  const declared = [...compose.matchAll(/file: \.\/deploy\/secrets\/([\w-]+)/g)].map(
    ([, name = '']) => name,
  );
  const made = [...readText('deploy/proxy/README.md').matchAll(/> ([a-z-]+)$/gm)].map(
    ([, name = '']) => name,
  );
  const created = [...readText(`${folder}/README.md`).matchAll(/--from-file=([\w-]+)/g)].map(
    ([, name = '']) => name,
  );

  expect(mounted(compose, /\/run\/secrets\/([\w-]+)/g)).toEqual(declared.sort());
  expect(made.sort()).toEqual(declared.sort());
  expect(mounted(deployment, /\/run\/secrets\/reseller-graph\/([\w-]+)/g)).toEqual(created.sort());
  expect(readText('.gitignore')).toContain('deploy/secrets/');
});

test('one service builds the image, no registry has it, and every other service with it depends on that one', () => {
  const [shared = '', services = ''] = compose.split('\nservices:\n');
  const sections = new Map(
    [...shared.split(/\n(?=x-)/), ...services.split(/\n(?= {2}\w)/)].map(
      (section) => [/^ *([\w-]+):/.exec(section)?.[1], section] as const,
    ),
  );
  const withText = (text: string | RegExp) =>
    [...sections].flatMap(([name, section]) => (section.search(text) < 0 ? [] : [name]));

  expect(withText('image: reseller-graph')).toEqual(['x-hardened']);
  expect(withText(/pull_policy: never/)).toEqual(['x-hardened']);
  expect(withText(/<<: \*hardened/)).toEqual(['x-replica', 'gateway', 'sandbox']);
  expect(withText('build: .')).toEqual(['sandbox']);
  expect(withText('pull_policy: build')).toEqual(['sandbox']);
  expect(withText(/\n +sandbox:\n +condition/)).toEqual(['x-replica', 'gateway']);
});

test('every mounted file exists', () => {
  const mounted = [...compose.matchAll(/'\.\/([\w./-]+):\//g)].map(([, path = '']) => path);

  expect(mounted).not.toEqual([]);
  expect(mounted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

describe('ports and paths', () => {
  const replicas = [...compose.matchAll(/^ {2}(replica-\d): \*replica$/gm)].map(([, name]) => name);

  test('the proxy uses the port of every replica', () => {
    const documented = [
      ...readText('deploy/proxy/nginx.conf').matchAll(/server (replica-\d):4000/g),
    ].map(([, name]) => name);

    expect(replicas).toHaveLength(3);
    expect(documented).toEqual(replicas);
    expect(compose).toMatch(/x-replica:[\s\S]*?PORT: 4000/);
  });

  test("a pod's port is the one of its probes and of the network policy", () => {
    expect(podSettings).toContain('\nPORT=4000\n');
    expect(deployment).toContain('{ name: http, containerPort: 4000 }');
    expect(readText(`${folder}/networkpolicy.yaml`)).toContain('{ port: 4000, protocol: TCP }');
    expect(readText(`${folder}/service.yaml`)).toContain('targetPort: http');
    const probed = [...deployment.matchAll(/path: (\/health\/\w+), port: (\w+)/g)];
    expect(probed.map(([, path, port]) => `${path} ${port}`)).toEqual([
      '/health/ready http',
      '/health/serving http',
      '/health/live http',
    ]);
  });

  test('the grace period covers the drain', () => {
    const [, grace = ''] = /terminationGracePeriodSeconds: (\d+)/.exec(deployment) ?? [];
    const [, pause = ''] = /sleep: \{ seconds: (\d+) \}/.exec(deployment) ?? [];

    expect(Number(grace)).toBeGreaterThan(Number(pause) + defaultCloseMs / 1_000);
  });
});

test('the systemd unit stops a gateway only after its drain, and stores its data in DATA_DIR', () => {
  const unit = readText('deploy/systemd/reseller-graph.service');
  const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

  expect(Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(defaultCloseMs / 1_000);
  expect(settingOf('Environment')).toBe(`DATA_DIR=/var/lib/${settingOf('StateDirectory')}`);
  expect(unit.match(/^ExecStart=\/usr\/bin\/node (.*)$/m)?.[1]).toBe(
    [...readText('Dockerfile').matchAll(/^CMD \["node", (.*)\]$/gm)]
      .at(-1)?.[1]
      ?.replaceAll(/[",]/g, ''),
  );
});

test('the image and the pods have the version of package.json', () => {
  const { version } = JSON.parse(readText('package.json'));

  expect(readText('Dockerfile')).toContain(`org.opencontainers.image.version="${version}"`);
  expect(deployment).toContain(`image: reseller-graph:${version}\n`);
});

const whyNot = (program: string, argument: string) =>
  spawnSync(program, [argument]).status === 0 ? null : `install ${program}`;

const whyNoPromtool = whyNot('promtool', '--version');
test.skipIf(whyNoPromtool)(`promtool accepts the alerts${because(whyNoPromtool)}`, () => {
  const { status, stderr } = spawnSync('promtool', [
    ...['check', 'rules', join(root, 'deploy/prometheus/alerts.yml')],
  ]);

  expect([status, `${stderr}`]).toEqual([0, '']);
});

const whyNoKubectl = whyNot('kubectl', 'help');
test.skipIf(whyNoKubectl)(`kubectl accepts every manifest${because(whyNoKubectl)}`, () => {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(root, folder)]);

  expect(`${stderr}`).toBe('');
  expect(status).toBe(0);
  const kinds = [...`${stdout}`.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
  expect(kinds.sort()).toEqual([
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Service',
  ]);
});

test.each([
  ['the gateway of the compose file', compose.split('\n  gateway:\n')[1]?.split('ports:')[0]],
  ['its replicas', compose.split('x-replica:')[1]?.split('secrets:')[0]],
  ['the pods', podSettings],
])('a gateway starts with the settings of %s', (_what, text = '') => {
  const lines = [...text.matchAll(/^ *([A-Z_]+)(?:: |=)'?([^'\n]+?)'?$/gm)];
  // Values from secret files and from the environment of the start command.
  const secrets = {
    API_KEY: 'a-key-of-more-than-16',
    DATABASE_URL: 'postgres://gateway:password@postgres:5432/reseller_graph',
    ...(/UPSTREAM(?:: |=)live/.test(text) && {
      DOMAIN_API_USERNAME: 'user',
      DOMAIN_API_PASSWORD: 'password',
      PRICES_FILE: 'prices.json',
    }),
  };
  const plain = lines.filter(([, name = '']) => !name.endsWith('_FILE') && name !== 'API_KEY');

  const config = readConfig({
    ...secrets,
    ...Object.fromEntries(plain.map(([, name, value]) => [name, value])),
  });

  expect(plain.length).toBeGreaterThan(5);
  expect(config.warnings).toEqual([]);
});

import { expect, test } from 'vitest';
import { readOptions } from '../../sandbox/options.ts';

test('without options and settings the program listens on this machine, with realistic latency', () => {
  expect(readOptions([], {})).toEqual({
    port: 4001,
    host: '127.0.0.1',
    latency: 'realistic',
    file: 'data/sandbox.sqlite',
    reset: undefined,
    domains: undefined,
    listSize: undefined,
    msPerName: undefined,
  });
});

test.each<[string, string, object]>([
  ['SANDBOX_PORT', '0', { port: 0 }],
  ['SANDBOX_PORT', '65535', { port: 65_535 }],
  ['SANDBOX_HOST', '::', { host: '::' }],
  ['SANDBOX_LATENCY', 'none', { latency: 'none' }],
  ['DATA_DIR', '/var/data', { file: '/var/data/sandbox.sqlite' }],
])('the setting %s=%s sets %j', (name, value, options) => {
  expect(readOptions([], { [name]: value })).toMatchObject(options);
});

test.each<[string, object]>([
  ['--reset', { reset: true }],
  ['--fast', { latency: 'none' }],
  ['--domains 0', { domains: 0 }],
  ['--domains 1000000', { domains: 1_000_000 }],
  ['--list-size 1000000', { listSize: 1_000_000 }],
  ['--ms-per-name 60000', { msPerName: 60_000 }],
])('the option %s sets %j, whatever the settings are', (line, options) => {
  const read = readOptions(line.split(' '), { SANDBOX_LATENCY: 'realistic' });

  expect(read).toMatchObject(options);
});

test('--help has no options, whatever else is wrong', () => {
  expect(readOptions(['--help', '--domains', 'x'], { SANDBOX_PORT: 'x' })).toBeNull();
});

test.each([
  ['SANDBOX_PORT', '65536'],
  ['SANDBOX_PORT', '-1'],
  ['SANDBOX_PORT', ''],
  ['SANDBOX_PORT', '1.5'],
  ['SANDBOX_PORT', '4001 '],
  ['SANDBOX_PORT', 'x1'],
  ['SANDBOX_LATENCY', 'fast'],
  ['SANDBOX_LATENCY', 'toString'],
])('the setting %s=%j is refused by its name', (name, value) => {
  expect(() => readOptions([], { [name]: value })).toThrow(name);
});

test.each([
  ['--domains', '1000001'],
  ['--domains', '1e3'],
  ['--list-size', '1000001'],
  ['--ms-per-name', '60001'],
  ['--speed', '1'],
])('the option %s %s is refused by its name', (name, value) => {
  expect(() => readOptions([name, value], {})).toThrow(name);
});

import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { commandFor, dropUnreadOutput, npmCommand, packageCommand } from './programs.ts';

test('a command is an npm script in a clone, and a command of its own in the package', () => {
  expect(npmCommand('start', '--help')).toBe('npm start -- --help');
  expect(npmCommand('keys', 'list')).toBe('npm run keys -- list');
  expect(packageCommand('start', '--help')).toBe('reseller-graph start --help');
  expect(commandFor('keys', 'list')).toBe('npm run keys -- list');
});

test('output without a reader is dropped, and other failures of it are not', () => {
  const outputs = { stdout: new EventEmitter(), stderr: new EventEmitter() };
  dropUnreadOutput(outputs);

  for (const stream of Object.values(outputs)) {
    stream.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }));
    expect(() =>
      stream.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' })),
    ).toThrow('full');
  }
});

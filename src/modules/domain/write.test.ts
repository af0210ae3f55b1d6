import { expect, test } from 'vitest';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { writeTo } from './write.ts';

test.each(['succeeds', 'fails'])(
  'a write that %s invalidates the reads of its domain when it has ended, not before',
  async (how) => {
    const sent = Promise.withResolvers<string>();
    const invalidated: string[] = [];
    const deps = { invalidate: (name: string) => void invalidated.push(name) };
    const written = writeTo(deps, parseDomainName('example.com'), () => sent.promise);
    const end = written.catch((error: Error) => error.message);
    await new Promise((resolve) => setImmediate(resolve));
    expect(invalidated).toEqual([]);

    if (how === 'fails') sent.reject(new Error(how));
    else sent.resolve(how);

    expect(await end).toBe(how);
    expect(invalidated).toEqual(['example.com']);
  },
);

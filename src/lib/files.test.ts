import { expect, test } from 'vitest';
import { decodeText, watchFile } from './files.ts';

const text = 'pässword';
const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
  ['little-endian UTF-16', utf16],
  ['big-endian UTF-16', Buffer.from(utf16).swap16()],
])('a file in %s is decoded without its mark', (_encoding, bytes) => {
  expect(decodeText(bytes)).toBe(text);
});

test('bytes of another encoding are refused', () => {
  expect(() => decodeText(Buffer.from(text, 'latin1'))).toThrow(TypeError);
});

/** A file whose content or error the test sets, polled once per `poll`. */
function watched(first: string | null) {
  const file: { content: string | null; error: string | null } = { content: first, error: null };
  const changes: (string | null)[] = [];
  const errors: string[] = [];
  let wake = () => {};
  let asleep: PromiseWithResolvers<void> = Promise.withResolvers();
  const watcher = watchFile({
    first,
    everyMs: 1_000,
    clock: {
      wait: (_ms, signal) => {
        asleep.resolve();
        return new Promise((resolve, reject) => {
          wake = resolve;
          signal?.addEventListener('abort', () => reject(new Error('closed')));
        });
      },
    },
    read: () => {
      if (file.error) throw new Error(file.error);
      return file.content;
    },
    onChange: (content) => {
      changes.push(content);
      if (content === 'broken') throw new Error('not usable');
    },
    onError: ({ message }) => errors.push(message),
  });
  const poll = async (next: Partial<typeof file>) => {
    Object.assign(file, next);
    asleep = Promise.withResolvers();
    wake();
    await asleep.promise;
  };
  return { changes, errors, poll, close: () => watcher.close() };
}

test('each new content is delivered once, and null when the file is gone', async () => {
  const { changes, errors, poll, close } = watched('a');

  for (const content of ['a', 'b', 'b', null, null, 'a']) await poll({ content });
  await close();

  expect(changes).toEqual(['b', null, 'a']);
  expect(errors).toEqual([]);
});

test('an error is reported once until its message changes or the file can be read', async () => {
  const { changes, errors, poll, close } = watched('a');

  for (const error of ['denied', 'denied', 'gone', null, 'gone', null]) await poll({ error });
  await close();

  expect(errors).toEqual(['denied', 'gone', 'gone']);
  expect(changes).toEqual([]);
});

test('content that cannot be used is reported once, and the next content is delivered', async () => {
  const { changes, errors, poll, close } = watched('a');

  for (const content of ['broken', 'broken', 'b']) await poll({ content });
  await close();

  expect(errors).toEqual(['not usable']);
  expect(changes).toEqual(['broken', 'b']);
});

test('a close waits for a read in progress, and no read follows', async () => {
  const reading = Promise.withResolvers<string>();
  let reads = 0;
  let closed = false;
  const watcher = watchFile({
    ...{ first: null, everyMs: 1_000, onChange: () => {}, onError: () => {} },
    clock: { wait: async () => {} },
    read: () => {
      reads += 1;
      return reading.promise;
    },
  });
  await Promise.resolve();

  const closing = watcher.close().then(() => {
    closed = true;
  });
  for (let at = 0; at < 20; at += 1) await Promise.resolve();
  expect([reads, closed]).toEqual([1, false]);
  reading.resolve('a');
  await closing;

  expect(reads).toBe(1);
});

test('an error of the clock is not hidden', async () => {
  const error = new Error('no clock');
  const watcher = watchFile({
    ...{ first: null, everyMs: 1_000, onChange: () => {}, onError: () => {} },
    clock: { wait: () => Promise.reject(error) },
    read: () => null,
  });
  for (let at = 0; at < 20; at += 1) await Promise.resolve();

  await expect(watcher.close()).rejects.toBe(error);
});

import type { ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { endOfTurn } from '../../../test/support/simulated-clock.ts';
import { startUpstream } from '../../../test/support/upstream/upstream-server.ts';
import type { BodyReader } from '../wire/classify.ts';
import { Receiver } from './transport.ts';

const get = { method: 'GET', path: '/' } as const;

/** One socket to a server that answers as the test says. */
async function serve(answer: (response: ServerResponse) => unknown): Promise<Pool> {
  const { origin } = await startUpstream((_request, response) => void answer(response));
  const pool = new Pool(origin, { connections: 1 });
  onTestFinished(() => pool.destroy());
  return pool;
}

/** Takes some turns of the event loop for each chunk, and notes down when it began and ended. */
function slowReader(turns: number) {
  const chunks: Buffer[] = [];
  const notes: string[] = [];
  const reader: BodyReader = {
    maxBytes: 10_000_000,
    async take(chunk) {
      notes.push('begins');
      for (let turn = 0; turn < turns; turn += 1) await endOfTurn();
      chunks.push(chunk);
      notes.push('ends');
    },
    end: () => ({ body: Buffer.concat(chunks).toString() }),
  };
  return { reader, notes, read: () => Buffer.concat(chunks).toString() };
}

test('a slow reader receives all chunks one after the other', async () => {
  const parts = Array.from({ length: 20 }, (_, at) => `${at}:${'x'.repeat(at * 5_000)}`);
  const pool = await serve(async (response) => {
    for (const part of parts) {
      response.write(part);
      await endOfTurn();
    }
    response.end();
  });
  const { reader, notes, read } = slowReader(30);

  const head = await new Receiver(reader, new AbortController().signal).receive(pool, get);

  expect(head.status).toBe(200);
  expect(read()).toBe(parts.join(''));
  expect(notes).toEqual(notes.map((_, at) => (at % 2 === 0 ? 'begins' : 'ends')));
});

test('a slow reader of many small chunks pauses the socket for many of them at a time', async () => {
  const [chunkBytes, chunks] = [1024, 1_000];
  const pool = await serve((response) => {
    for (let at = 0; at < chunks; at += 1) response.write('x'.repeat(chunkBytes));
    response.end();
  });
  let pauses = 0;
  class Counting extends Receiver {
    override onRequestStart(controller: Dispatcher.DispatchController): void {
      const pause = controller.pause.bind(controller);
      controller.pause = () => {
        pauses += 1;
        pause();
      };
      super.onRequestStart(controller);
    }
  }
  const { reader, read } = slowReader(1);

  await new Counting(reader, new AbortController().signal).receive(pool, get);

  expect(read()).toBe('x'.repeat(chunkBytes * chunks));
  expect(pauses).toBeGreaterThan(0);
  expect(pauses).toBeLessThan(chunks / 100);
});

test('an error of the reader ends the reply, and the next reply is complete', async () => {
  const pool = await serve((response) => response.end('whole'));
  const broken: BodyReader = {
    maxBytes: 100,
    take: () => Promise.reject(new Error('It cannot be read.')),
    end: () => ({ body: '' }),
  };
  const { reader, read } = slowReader(0);
  const { signal } = new AbortController();

  await expect(new Receiver(broken, signal).receive(pool, get)).rejects.toThrow('cannot be read');
  await new Receiver(reader, signal).receive(pool, get);

  expect(read()).toBe('whole');
});

test('an error of the reader after the last chunk has arrived ends the reply', async () => {
  const isComplete = Promise.withResolvers<void>();
  const pool = await serve(async (response) => {
    response.write('first');
    // Node 26 sends the writes of one turn as one chunk.
    await endOfTurn();
    response.write('second');
    response.end();
  });
  class Late extends Receiver {
    override onResponseEnd(): void {
      super.onResponseEnd();
      isComplete.resolve();
    }
  }
  let chunks = 0;
  const reader: BodyReader = {
    maxBytes: 100,
    async take() {
      chunks += 1;
      if (chunks === 2) throw new Error('It cannot be read.');
      await isComplete.promise;
    },
    end: () => ({ body: '' }),
  };

  const reply = new Late(reader, new AbortController().signal).receive(pool, get);

  await expect(reply).rejects.toThrow('cannot be read');
});

test('nothing is read after a reply has failed', async () => {
  const pool = await serve(async (response) => {
    for (let at = 0; at < 50; at += 1) response.write('part');
    await endOfTurn();
    response.destroy();
  });
  const { reader, notes } = slowReader(20);

  const reply = new Receiver(reader, new AbortController().signal).receive(pool, get);

  await expect(reply).rejects.toThrow();
  const before = [...notes];
  for (let turn = 0; turn < 50; turn += 1) await endOfTurn();
  expect(notes).toEqual(before);
  expect(notes.at(-1)).toBe('ends');
});

test('an abort rejects immediately, during a reply and before a socket is free', async () => {
  const pool = await serve((response) => response.write('never done'));
  const receiver = () => {
    const stop = new AbortController();
    const { reader } = slowReader(0);
    const received = new Receiver(reader, stop.signal);
    return { stop, received, end: received.receive(pool, get) };
  };

  const within = receiver();
  await expect.poll(() => within.received.hasResponse).toBe(true);
  const before = receiver();
  for (const { stop, end } of [before, within]) {
    stop.abort(new Error('Stopped.'));
    await expect(end).rejects.toThrow('Stopped.');
  }
});

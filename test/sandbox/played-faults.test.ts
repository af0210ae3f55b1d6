import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dispatch } from '../../sandbox/dispatch.ts';
import { armedFault } from '../../sandbox/service/faults.ts';
import { JsonPieces, type Reply } from '../../sandbox/service/http.ts';
import { systemClock } from '../../src/lib/system.ts';
import { createTestService, startedAt } from './service.ts';

/** What happened in order: executions of the call, waits in milliseconds, and ends of the connection. */
let events: (string | number)[];
/** The number of waits after which the client disconnects. */
let waitsLeft: number;
let connection: Duplex;
let sandbox: ReturnType<typeof createTestService>;
beforeEach(() => {
  events = [];
  waitsLeft = Infinity;
  sandbox = createTestService({
    domains: 1,
    clock: {
      ...systemClock,
      now: () => new Date(startedAt),
      async wait(ms) {
        events.push(ms);
        waitsLeft -= 1;
        if (waitsLeft > 0) return;
        connection.destroy();
        await setImmediate();
      },
    },
  });
});
afterEach(() => sandbox.service.close());

const text = '{"id":7,"Dates":{"a":1},"rows":[{"Status":"Active"}]}';

/** Dispatches one call with a fault. `sent` is what its client received at the end of the turn of the event loop. */
async function play(fault: object | null, reply: Reply = { status: 200, body: JSON.parse(text) }) {
  const { service } = sandbox;
  if (fault) service.faults.arm(armedFault.parse(fault));
  const pieces: string[] = [];
  connection = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      pieces.push(String(chunk));
      done();
    },
  });
  const resetAndDestroy = () => {
    events.push('reset');
    return connection.destroy();
  };
  const socket = Object.assign(connection, { resetAndDestroy }) as unknown as Socket;
  socket.on('close', () => events.push('close'));
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  let isEnded = false;
  const work = dispatch(
    service,
    {
      action: 'POST /carts',
      writes: true,
      run() {
        events.push('run');
        return reply;
      },
      failure: (code) => ({ status: 418, body: { code } }),
    },
    response,
  ).finally(() => {
    isEnded = true;
  });
  for (let turn = 0; turn < 60; turn += 1) await setImmediate();
  const [head = '', ...bodies] = pieces.join('').split('\r\n\r\n');
  return {
    head,
    body: bodies.join('\r\n\r\n'),
    status: Number(head.split(' ')[1]),
    isComplete: response.writableFinished,
    isEnded,
    logged: service.calls.list().at(-1)?.status,
    work,
    socket,
  };
}

describe('a call', () => {
  test('without a fault is executed, sent and logged', async () => {
    const sent = await play(null);

    expect(sent).toMatchObject({ status: 200, body: text, isComplete: true, logged: 200 });
    expect(sent.head).toMatch(/content-type: application\/json\r\n/i);
    expect(sent.head).toMatch(new RegExp(`content-length: ${text.length}`, 'i'));
    expect(events).toEqual(['run']);
  });

  test('is executed after the changes of state that are due', async () => {
    const { service, advance } = sandbox;
    advance(435 * 86_400_000);

    await play(null);

    const [domain] = service.store.domains.everywhere('reseller-demo.com');
    expect(domain?.status).toBe('PendingHold');
  });

  test('whose client has disconnected is executed, and logged without a status', async () => {
    sandbox.service.latency.perCallMs = 5;
    waitsLeft = 1;

    expect(await play(null)).toMatchObject({ head: '', isEnded: true, logged: null });
    expect(events).toEqual([5, 'close', 'run']);
  });

  test('is sent in pieces, as text, or without a body and its type', async () => {
    const json = (await play(null, { status: 200, body: new JsonPieces(['[1,', '2]']) })).body;
    expect(json.replaceAll(/\r\n|^\w+$/gm, '')).toContain('[1,');
    expect((await play(null, { status: 404, body: 'no' })).body).toBe('no');
    const empty = await play(null, { status: 201, headers: { allow: 'POST' } });
    expect(empty).toMatchObject({ status: 201, body: '', isComplete: true });
    expect(empty.head).toMatch(/allow: POST/i);
    expect(empty.head).not.toMatch(/content-type/i);
  });
});

describe('the fault', () => {
  test.each([
    [{ fault: 'slow' }, [3_000, 'run']],
    [{ fault: 'slow', ms: 7 }, [7, 'run']],
    [{ fault: 'delay' }, [3_000, 'run']],
    [{ fault: 'delay', ms: 0 }, [0, 'run']],
  ])('%j waits before the call, which is sent unchanged', async (fault, expected) => {
    expect(await play(fault)).toMatchObject({ body: text, isComplete: true, logged: 200 });
    expect(events).toEqual(expected);
  });

  test.each([
    [{ fault: 'drip' }, 250],
    [{ fault: 'drip', ms: 40 }, 2],
  ])('%j sends the whole body in twenty pieces, one after each wait', async (fault, ms) => {
    const sent = await play(fault);

    expect(sent).toMatchObject({ status: 200, body: text, isComplete: true, logged: 200 });
    expect(events).toEqual(['run', ...Array.from({ length: 20 }, () => ms)]);
  });

  test('drip ends when the client disconnects', async () => {
    waitsLeft = 3;

    expect(await play({ fault: 'drip', ms: 40 })).toMatchObject({ isEnded: true });
    expect(events.filter((one) => one !== 'close')).toEqual(['run', 2, 2, 2]);
  });

  test.each(['hang', 'reset', 'lost-answer'])(
    '%s ends at once for a client that has disconnected before',
    async (fault) => {
      sandbox.service.latency.perCallMs = 5;
      waitsLeft = 1;

      const { isEnded, work } = await play({ fault });

      expect(isEnded).toBe(true);
      await expect(work).resolves.toBeUndefined();
    },
  );

  test('hang executes and sends nothing until the client disconnects', async () => {
    const { head, isEnded, logged, work, socket } = await play({ fault: 'hang' });
    expect([head, isEnded, logged]).toEqual(['', false, null]);

    socket.destroy();
    await work;

    expect(events).toEqual(['close']);
  });

  test('html puts a warning before the body and says so in the type', async () => {
    const { status, head, body, logged } = await play({ fault: 'html' });

    expect([status, logged]).toEqual([200, 200]);
    expect(head).toMatch(/content-type: text\/html; charset=utf-8/i);
    expect(body).toMatch(/^<br \/>\n<b>Warning<\/b>.*\n/);
    expect(body.endsWith(text)).toBe(true);
    expect(events).toEqual(['run']);
  });

  test('empty executes the call and sends its status alone', async () => {
    expect(await play({ fault: 'empty' })).toMatchObject({ status: 200, body: '', logged: 200 });
    expect(events).toEqual(['run']);
  });

  test('gateway sends a page with 502 and executes nothing', async () => {
    const { status, head, body, logged } = await play({ fault: 'gateway' });

    expect([status, logged]).toEqual([502, 502]);
    expect(head).toMatch(/content-type: text\/html/i);
    expect(body).toMatch(/^<html>/);
    expect(events).toEqual([]);
  });

  test.each([
    [{ fault: 'busy' }, '1'],
    [{ fault: 'busy', ms: 1_001 }, '2'],
    [{ fault: 'busy', ms: 2_000 }, '2'],
  ])('%j sends 429 with Retry-After: %s and executes nothing', async (fault, seconds) => {
    const { status, head, body, logged } = await play(fault);

    expect([status, body, logged]).toEqual([429, '', 429]);
    expect(head).toMatch(new RegExp(`retry-after: ${seconds}\\r`, 'i'));
    expect(events).toEqual([]);
  });

  test('cut executes the call and sends half of its body', async () => {
    const { head, body, isComplete, logged } = await play({ fault: 'cut' });

    expect(head).toMatch(new RegExp(`content-length: ${text.length}`, 'i'));
    expect(body).toBe(text.slice(0, text.length / 2));
    expect([isComplete, logged]).toEqual([false, 200]);
    expect(events).toEqual(['run', 'close']);
  });

  test('reset resets the connection and executes nothing', async () => {
    expect(await play({ fault: 'reset' })).toMatchObject({ head: '', logged: null });
    expect(events).toEqual(['reset', 'close']);
  });

  test('lost-answer executes the call and sends nothing', async () => {
    expect(await play({ fault: 'lost-answer' })).toMatchObject({ head: '', logged: null });
    expect(events).toEqual(['run', 'close']);
  });

  test.each([
    [{ fault: 'late' }, 3_000],
    [{ fault: 'late', ms: 9 }, 9],
  ])('%j ends the connection, and executes the call %i ms later', async (fault, ms) => {
    expect(await play(fault)).toMatchObject({ head: '', isEnded: true, logged: null });
    expect(events.filter((one) => one !== 'close')).toEqual([ms, 'run']);
    expect(events).toContain('close');
  });

  test.each([
    [{ fault: 'code' }, 418, 'API_2400_ERROR'],
    [{ fault: 'code', code: '101' }, 418, '101'],
    [{ fault: 'code', code: '101', status: 200 }, 200, '101'],
  ])('%j sends %i with the code %s and executes nothing', async (fault, status, code) => {
    expect(await play(fault)).toMatchObject({ status, body: `{"code":"${code}"}`, logged: status });
    expect(events).toEqual([]);
  });

  test('twice executes the call two times and sends one response', async () => {
    expect(await play({ fault: 'twice' })).toMatchObject({ status: 200, body: text });
    expect(events).toEqual(['run', 'run']);
  });

  test.each([
    ['hold-before', []],
    ['hold-after', ['run']],
  ])('%s waits for the release, with the calls %j before it', async (fault, before) => {
    const { head, isEnded, work } = await play({ fault });
    expect([head, isEnded, events]).toEqual(['', false, before]);
    expect(sandbox.service.holdings.count()).toBe(1);

    expect(sandbox.service.holdings.release()).toBe(1);
    await work;

    expect(events).toEqual(['run']);
    expect(sandbox.service.calls.list().at(-1)?.status).toBe(200);
    expect(sandbox.service.holdings.count()).toBe(0);
  });

  test.each(['hold-before', 'hold-after'])('%s ends when the sandbox ends', async (fault) => {
    const { work } = await play({ fault });
    sandbox.service.end();

    await expect(work).rejects.toThrow();
  });

  test('wrongtypes and maps change their members only, at any depth, also in pieces', async () => {
    const wrong = '{"id":"x","Dates":{"a":1},"rows":[{"Status":7}]}';
    const maps = '{"id":7,"Dates":[],"rows":[{"Status":"Active"}]}';
    const pieces = () => ({ status: 200, body: new JsonPieces([text.slice(0, 9), text.slice(9)]) });

    expect((await play({ fault: 'wrongtypes' })).body).toBe(wrong);
    expect((await play({ fault: 'maps' })).body).toBe(maps);
    expect((await play({ fault: 'wrongtypes' }, pieces())).body).toBe(wrong);
    expect((await play({ fault: 'maps' }, pieces())).body).toBe(maps);
    expect((await play({ fault: 'maps' }, { status: 200, body: null })).body).toBe('null');
    expect(events).toEqual(['run', 'run', 'run', 'run', 'run']);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Resources of a process just after a garbage collection. */
export interface Held {
  /** Bytes of live objects, in V8's heap and outside of it. */
  readonly heap: number;
  readonly resident: number;
  /** Open sockets, of callers and of the upstream. */
  readonly sockets: number;
  readonly timers: number;
}

export interface Inspected {
  readonly origin: string;
  held(): Promise<Held>;
  stop(): Promise<number | null>;
}

const main = new URL('../../src/main.ts', import.meta.url).pathname;

/** Starts the gateway in its own process and samples it through V8's inspector. */
export async function startInspected(env: Readonly<Record<string, string>>): Promise<Inspected> {
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', main], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let text = '';
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = (chunk: unknown) => {
        text += String(chunk);
        const found = pattern.exec(text)?.[0];
        if (found) resolve(found);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      void exited.then(() => reject(new Error(`The gateway ended before it listened: ${text}`)));
    });
  const [inspector, origin] = await Promise.all([
    printed(/ws:\/\/\S+/),
    printed(/http:\/\/127\.0\.0\.1:\d+(?=\/?\s|\/graphql)/),
  ]);
  const session = await openSession(inspector);
  return {
    origin,
    async held() {
      // Twice: objects that a finalizer of the first collection releases are freed by the second.
      await session.call('HeapProfiler.collectGarbage');
      await session.call('HeapProfiler.collectGarbage');
      const { result } = await session.call('Runtime.evaluate', {
        expression,
        returnByValue: true,
      });
      return JSON.parse(String((result as { value: unknown }).value));
    },
    async stop() {
      // A process does not end while an inspector is connected.
      session.leave();
      child.kill('SIGTERM');
      const [exitCode] = await exited;
      return exitCode;
    },
  };
}

const expression = `(() => {
  const { heapUsed, external, rss } = process.memoryUsage();
  const open = process.getActiveResourcesInfo();
  const count = (pattern) => open.filter((kind) => pattern.test(kind)).length;
  return JSON.stringify({
    heap: heapUsed + external,
    resident: rss,
    sockets: count(/^TCPSocketWrap|^TLSWrap/),
    timers: count(/^Timeout|^Immediate/),
  });
})()`;

interface Session {
  call(method: string, params?: object): Promise<Record<string, unknown>>;
  leave(): void;
}

async function openSession(url: string): Promise<Session> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  await once(socket, 'open');
  let last = 0;
  return {
    call: (method, params = {}) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    leave: () => socket.close(),
  };
}

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { startProcess } from '../support/process.ts';
import { because } from '../support/skipped.ts';

const burst = 1_000;
const limitFile = '/proc/sys/net/core/somaxconn';
const systemLimit = (): number => {
  try {
    return Number(readFileSync(limitFile, 'utf8'));
  } catch {
    return 0;
  }
};

const why = systemLimit() < burst ? `${limitFile} is below ${burst}` : null;

test.skipIf(why)(
  `a gateway that is busy does not drop a burst of ${burst} connections${because(why)}`,
  async () => {
    const dataDir = await newFolder('connection-burst');
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const env = { PORT: '0', SANDBOX_PORT: '0', DATA_DIR: dataDir };
    const gateway = await startProcess('src/main', env);
    onTestFinished(() => gateway.kill());
    const { port, hostname } = new URL(gateway.origin);
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });

    // A stopped process accepts no connection; only the queue of the system does.
    gateway.signal('SIGSTOP');
    for (let count = 0; count < burst; count += 1) sockets.push(connect(Number(port), hostname));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    gateway.signal('SIGCONT');

    const [first] = sockets;
    first?.write('GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    const [response] = first ? await once(first, 'data') : [];
    expect(String(response)).toMatch(/^HTTP\/1\.1 200 /);
  },
  15_000,
);

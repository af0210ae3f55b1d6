import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Router {
  readonly origin: string;
  /** Adds a gateway, which gets requests once its health check reports that it is serving. */
  add(origin: string): void;
  remove(origin: string): void;
  close(): Promise<void>;
}

const lookEveryMs = 50;

/** A simple round-robin load balancer over the gateways that are serving, without retries. */
export async function startRouter(): Promise<Router> {
  const targets = new Map<string, { serving: boolean }>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  const look = async (origin: string, target: { serving: boolean }) => {
    const response = await fetch(`${origin}/health/serving`).catch(() => null);
    target.serving = response?.ok ?? false;
  };
  const looking = setInterval(() => {
    for (const [origin, target] of targets) void look(origin, target);
  }, lookEveryMs);

  const forward = (from: IncomingMessage, to: ServerResponse) => {
    const serving = [...targets].filter(([, target]) => target.serving);
    turn += 1;
    const [origin] = serving[turn % serving.length] ?? [];
    if (!origin) return to.writeHead(502).end();
    const { method, headers, url } = from;
    const onward = request(`${origin}${url}`, { method, headers, agent }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
      answer.once('error', () => to.destroy());
    });
    onward.once('error', () => (to.headersSent ? to.destroy() : to.writeHead(502).end()));
    from.pipe(onward);
    return to.once('close', () => onward.destroy());
  };
  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (origin) => void targets.set(origin, { serving: false }),
    remove: (origin) => void targets.delete(origin),
    async close() {
      clearInterval(looking);
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

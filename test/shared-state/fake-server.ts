import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that speaks the protocol of Valkey in this process, and replies as a test defines. */
export type FakeServer = Awaited<ReturnType<typeof startFakeServer>>;

/** The reply in the protocol, such as `+OK`; null delays it. */
type Respond = (command: readonly string[]) => string | null;

const bulk = (text: string) => `$${Buffer.byteLength(text)}\r\n${text}`;
const push = (kind: string, channel: string, last: string) =>
  `*3\r\n${bulk(kind)}\r\n${bulk(channel)}\r\n${last}`;

const respondAsUsual: Respond = ([name = '', channel = '']) => {
  if (name === 'info') return bulk('loading:0');
  if (name === 'subscribe') return push('subscribe', channel, ':1');
  return name === 'ping' ? '+PONG' : '+OK';
};

export async function startFakeServer() {
  const sockets = new Set<Socket>();
  const subscribers = new Set<Socket>();
  const commands: (readonly string[])[] = [];
  const delayed: (() => void)[] = [];
  let connections = 0;
  let respond = respondAsUsual;

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      subscribers.delete(socket);
    });
    let text = '';
    socket.setEncoding('utf8').on('data', (data) => {
      text += data;
      for (let read = readCommand(text); read; read = readCommand(text)) {
        text = text.slice(read.length);
        commands.push(read.command);
        if (read.command[0] === 'subscribe') subscribers.add(socket);
        const reply = respond(read.command);
        const send = (text: string | null) => socket.write(`${text}\r\n`);
        if (reply === null) delayed.push(() => send(respondAsUsual(read.command)));
        else send(reply);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The commands of one name, without that name. */
    received: (name: string) =>
      commands.filter(([each]) => each === name).map(([, ...parameters]) => parameters),
    connections: () => connections,
    openConnections: () => sockets.size,
    /** Replies differently to the commands of one name; null delays the replies until `replyAsUsual`. */
    reply(name: string, reply: string | null): void {
      const before = respond;
      respond = (command) => (command[0] === name ? reply : before(command));
    },
    replyAsUsual(): void {
      respond = respondAsUsual;
      for (const send of delayed.splice(0)) send();
    },
    /** Sends a message to all connections that subscribed to any channel. */
    publish(channel: string, message: string): void {
      for (const socket of subscribers)
        socket.write(`${push('message', channel, bulk(message))}\r\n`);
    },
    /** Breaks all connections. New ones work. */
    cut(): void {
      for (const socket of sockets) socket.destroy();
    },
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The first command of a text, when it is complete. All parameters of the tests are ASCII. */
function readCommand(text: string): { command: string[]; length: number } | null {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (!head) return null;
  let at = head[0].length;
  const command: string[] = [];
  for (let part = 0; part < Number(head[1]); part += 1) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 20));
    if (!size) return null;
    at += size[0].length;
    const end = at + Number(size[1]);
    if (text.length < end + 2) return null;
    command.push(text.slice(at, end));
    at = end + 2;
  }
  return { command, length: at };
}

import type { ServerResponse } from 'node:http';
import type { Call } from './service/call-log.ts';
import type { Fault, FaultName } from './service/faults.ts';
import { headersOf, isObject, JsonPieces, type Reply, sendReply, textOf } from './service/http.ts';
import { latencyOf } from './service/latency.ts';
import type { Service } from './service/service.ts';

/** Logs a call, waits for its latency, and executes it, with the fault that applies to it. */
export async function dispatch(
  service: Service,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const { ended } = service;
  const logged = service.calls.add(call);
  const send = (reply: Reply) => {
    if (!response.destroyed) logged.status = reply.status;
    sendReply(response, reply);
  };
  const run = () => {
    service.settle();
    return call.run();
  };
  const wait = (ms: number) => service.clock.wait(ms, ended);

  const latencyMs = latencyOf(service.latency, call, service.randomness);
  if (latencyMs > 0) await wait(latencyMs);

  const fault = service.faults.take(call);
  if (!fault) return send(run());
  await faultPlays[fault.fault]({
    fault,
    response,
    run,
    send,
    begin: (reply, length) => {
      logged.status = reply.status;
      response.writeHead(reply.status, headersOf(reply, length));
    },
    failure: call.failure,
    wait,
    gone: () =>
      response.destroyed
        ? Promise.resolve()
        : new Promise((resolve) => response.once('close', resolve)),
    held: () => service.holdings.hold(ended),
  });
}

/** What a fault can do with its call. */
interface Stage {
  readonly fault: Fault;
  readonly response: ServerResponse;
  /** Executes the call. */
  readonly run: () => Reply;
  readonly send: (reply: Reply) => void;
  /** Sends the head alone, for a body of `length` bytes. */
  readonly begin: (reply: Reply, length: number) => void;
  readonly failure: (code: string) => Reply;
  readonly wait: (ms: number) => Promise<void>;
  /** Resolves when the client has disconnected. */
  readonly gone: () => Promise<void>;
  /** Resolves at `POST /admin/release`. */
  readonly held: () => Promise<void>;
}

/** Default times in milliseconds; `ms` of a fault replaces them. */
const slowMs = 3000;
const dripMs = 5000;
const lateMs = 3000;
const retryAfterMs = 1000;

/** A distorted body is sent in one piece. */
function sendDistorted({ run, send }: Stage, members: Readonly<Record<string, unknown>>): void {
  const reply = run();
  const body = reply.body instanceof JsonPieces ? JSON.parse(textOf(reply)) : reply.body;
  send({ ...reply, body: distort(body, members) });
}

const drop = ({ response }: Stage) => void response.socket?.destroy();

const slowly = async (stage: Stage) => {
  await stage.wait(stage.fault.ms ?? slowMs);
  stage.send(stage.run());
};

/** The behaviour of each fault. One that never calls `run` changes no data. */
const faultPlays: Readonly<Record<FaultName, (stage: Stage) => void | Promise<void>>> = {
  slow: slowly,
  delay: slowly,
  hang: (stage) => stage.gone(),
  html: (stage) => {
    const reply = stage.run();
    const headers = { 'content-type': 'text/html; charset=utf-8', ...reply.headers };
    stage.send({ ...reply, body: phpWarning + textOf(reply), headers });
  },
  empty: (stage) => stage.send({ ...stage.run(), body: undefined }),
  gateway: ({ send }) =>
    send({ status: 502, body: badGatewayPage, headers: { 'content-type': 'text/html' } }),
  busy: ({ send, fault }) => {
    const seconds = Math.ceil((fault.ms ?? retryAfterMs) / 1000);
    send({ status: 429, headers: { 'retry-after': String(seconds) } });
  },
  drip: async (stage) => {
    const reply = stage.run();
    const body = Buffer.from(textOf(reply));
    stage.begin(reply, body.length);
    const pieces = 20;
    for (let piece = 0; piece < pieces && !stage.response.destroyed; piece += 1) {
      const at = (of: number) => Math.floor((body.length * of) / pieces);
      stage.response.write(body.subarray(at(piece), at(piece + 1)));
      await stage.wait((stage.fault.ms ?? dripMs) / pieces);
    }
    stage.response.end();
  },
  cut: (stage) => {
    const reply = stage.run();
    const body = Buffer.from(textOf(reply));
    stage.begin(reply, body.length);
    stage.response.write(body.subarray(0, Math.floor(body.length / 2)), () => drop(stage));
  },
  wrongtypes: (stage) => sendDistorted(stage, wrongTypes),
  maps: (stage) => sendDistorted(stage, emptyMaps),
  reset: ({ response }) => void response.socket?.resetAndDestroy(),
  'lost-answer': (stage) => {
    stage.run();
    drop(stage);
  },
  late: async (stage) => {
    drop(stage);
    await stage.wait(stage.fault.ms ?? lateMs);
    stage.run();
  },
  code: ({ send, failure, fault }) => {
    const reply = failure(fault.code ?? 'API_2400_ERROR');
    send({ ...reply, status: fault.status ?? reply.status });
  },
  // A proxy repeats the request; the client receives the second response.
  twice: (stage) => {
    stage.run();
    stage.send(stage.run());
  },
  'hold-before': async (stage) => {
    await stage.held();
    stage.send(stage.run());
  },
  'hold-after': async (stage) => {
    const reply = stage.run();
    await stage.held();
    stage.send(reply);
  },
};

/** A PHP warning that is printed before the JSON. */
const phpWarning =
  '<br />\n<b>Warning</b>:  Undefined array key "trace" in <b>/srv/api/index.php</b> on line <b>42</b><br />\n';

const badGatewayPage =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n';

/** Members that change their type, with the new value. */
const wrongTypes: Readonly<Record<string, unknown>> = {
  ...{ ID: '', Status: 7, LockStatus: 1, PrivacyProtectionStatus: [], RemainingDays: 'many' },
  ...{ Expiration: 'soon', TotalCount: 'a lot', NameServers: 'none', Price: { amount: 1 } },
  ...{ Period: 'one', IsFee: 'maybe', id: 'x', minperiod: null, balance: null, IPAdresses: 5 },
};

/** Objects with named members, which arrive as `[]`. */
const emptyMaps: Readonly<Record<string, unknown>> = {
  ...{ Contacts: [], contacts: [], Dates: [], Additional: [], Address: [], Phone: [] },
  ...{ pricing: [], currencies: [], availability: [] },
};

/** The JSON value with other values for some members. */
function distort(value: unknown, members: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((item) => distort(item, members));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      Object.hasOwn(members, key) ? members[key] : distort(item, members),
    ]),
  );
}

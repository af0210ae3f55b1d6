import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Call } from './service/call-log.ts';
import { type FaultName, type PlayedFault, promptText } from './service/faults.ts';
import { headersOf, isObject, JsonPieces, type Reply, sendReply, textOf } from './service/http.ts';
import { latencyOf } from './service/latency.ts';
import type { Service } from './service/service.ts';

/** Logs a call, waits for its latency, and executes it, with the fault that applies to it. */
export async function dispatch(
  service: Service,
  call: Call,
  response: ServerResponse,
): Promise<void> {
  const stage = createStage(service, call, response);
  const latencyMs = latencyOf(service.latency, call, service.randomness);
  if (latencyMs > 0) await stage.wait(latencyMs);
  const fault = service.faults.take(call);
  if (fault) await faultPlays[fault.fault](stage, fault);
  else stage.send(stage.run());
}

type Stage = ReturnType<typeof createStage>;

/** What a fault can do with its call. */
function createStage(service: Service, call: Call, response: ServerResponse) {
  const { ended } = service;
  const logged = service.calls.add(call);
  return {
    response,
    /** Aborts at a reset and at the end. */
    ended,
    failure: call.failure,
    /** Executes the call. */
    run(): Reply {
      service.settle();
      return call.run();
    },
    send(reply: Reply): void {
      if (!response.destroyed) logged.status = reply.status;
      sendReply(response, reply);
    },
    /** Sends the head alone, and returns the body. */
    begin(reply: Reply): Buffer {
      const body = Buffer.from(textOf(reply));
      logged.status = reply.status;
      response.writeHead(reply.status, headersOf(reply, body.length));
      return body;
    },
    drop: () => void response.socket?.destroy(),
    wait: (ms: number) => service.clock.wait(ms, ended),
    /** Resolves at `POST /admin/release`. */
    held: () => service.holdings.hold(ended),
  };
}

/** A distorted body is sent in one piece. */
function sendDistorted({ run, send }: Stage, members: Readonly<Record<string, unknown>>): void {
  const reply = run();
  const body = reply.body instanceof JsonPieces ? JSON.parse(textOf(reply)) : reply.body;
  send({ ...reply, body: distort(body, members) });
}

const slowly = async ({ wait, run, send }: Stage, { ms = 3_000 }: PlayedFault) => {
  await wait(ms);
  send(run());
};

/** The behaviour of each fault. One that never calls `run` changes no data. */
const faultPlays: Readonly<Record<FaultName, (stage: Stage, fault: PlayedFault) => unknown>> = {
  slow: slowly,
  delay: slowly,
  // A reset ends it, which a gateway that stops would wait for.
  hang: ({ response, ended, drop }) =>
    response.destroyed || once(response, 'close', { signal: ended }).catch(drop),
  html({ run, send }) {
    const reply = run();
    const headers = { 'content-type': 'text/html; charset=utf-8', ...reply.headers };
    send({ ...reply, body: phpWarning + textOf(reply), headers });
  },
  empty: ({ run, send }) => send({ ...run(), body: undefined }),
  gateway: ({ send }) =>
    send({ status: 502, body: badGatewayPage, headers: { 'content-type': 'text/html' } }),
  busy: ({ send }, { ms = 1_000 }) =>
    send({ status: 429, headers: { 'retry-after': String(Math.ceil(ms / 1000)) } }),
  async drip({ run, begin, response, wait }, { ms = 5_000 }) {
    const body = begin(run());
    const pieces = 20;
    for (let piece = 0; piece < pieces && !response.destroyed; piece += 1) {
      const at = (of: number) => Math.floor((body.length * of) / pieces);
      response.write(body.subarray(at(piece), at(piece + 1)));
      await wait(ms / pieces);
    }
    response.end();
  },
  cut({ run, begin, response, drop }) {
    const body = begin(run());
    response.write(body.subarray(0, Math.floor(body.length / 2)), drop);
  },
  wrongtypes: (stage) => sendDistorted(stage, wrongTypes),
  maps: (stage) => sendDistorted(stage, emptyMaps),
  prompt: (stage) => sendDistorted(stage, prompts),
  reset: ({ response }) => void response.socket?.resetAndDestroy(),
  'lost-answer'({ run, drop }) {
    run();
    drop();
  },
  async late({ drop, wait, run }, { ms = 3_000 }) {
    drop();
    await wait(ms);
    run();
  },
  refuse: ({ send, failure }) => send(failure(unlistedCode, unlistedReason)),
  'refuse-200': ({ send, failure }) =>
    send({ ...failure(unlistedCode, unlistedReason), status: 200 }),
  'refuse-after'({ run, send, failure }) {
    run();
    send(failure(unlistedCode, unlistedReason));
  },
  code({ send, failure }, { code = 'API_2400_ERROR', status }) {
    const reply = failure(code);
    send({ ...reply, status: status ?? reply.status });
  },
  // A proxy repeats the request; the client receives the second response.
  twice({ run, send }) {
    run();
    send(run());
  },
  async 'hold-before'({ held, run, send }) {
    await held();
    send(run());
  },
  async 'hold-after'({ held, run, send }) {
    const reply = run();
    await held();
    send(reply);
  },
};

/** A code that no published list of codes has. */
const unlistedCode = 'API_7777_ERROR';
const unlistedReason = 'The registry requires a trademark certificate for this name.';

/** A PHP warning that is printed before the JSON. */
const phpWarning =
  '<br />\n<b>Warning</b>:  Undefined array key "trace" in <b>/srv/api/index.php</b> on line <b>42</b><br />\n';

const badGatewayPage =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n';

/** Members that change their type, with the new value. */
const wrongTypes: Readonly<Record<string, unknown>> = {
  ID: '',
  Status: 7,
  LockStatus: 1,
  PrivacyProtectionStatus: [],
  RemainingDays: 'many',
  Expiration: 'soon',
  TotalCount: 'a lot',
  NameServers: 'none',
  Price: { amount: 1 },
  Period: 'one',
  IsFee: 'maybe',
  id: 'x',
  minperiod: null,
  balance: null,
  IPAdresses: 5,
};

/** Objects with named members, which arrive as `[]`. */
const emptyMaps: Readonly<Record<string, unknown>> = {
  Contacts: [],
  contacts: [],
  Dates: [],
  Additional: [],
  Address: [],
  Phone: [],
  pricing: [],
  currencies: [],
  availability: [],
};

/** Texts that the gateway passes on. */
const prompts: Readonly<Record<string, unknown>> = {
  Reason: promptText,
  NameServers: [promptText],
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

import type { ServerResponse } from 'node:http';
import type { Fault } from './armed-faults.ts';
import { badGatewayPage, phpWarning, withEmptyMaps, withWrongTypes } from './distort.ts';
import type { FaultName } from './fault-names.ts';
import { JsonPieces, type Reply, textOf } from './http.ts';

/** What a fault can do with its call. */
export interface Stage {
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

/** The body as a value; a distorted body is sent in one piece. */
const bodyOf = (reply: Reply): unknown =>
  reply.body instanceof JsonPieces ? JSON.parse(textOf(reply)) : reply.body;

const drop = ({ response }: Stage) => void response.socket?.destroy();

const slowly = async (stage: Stage) => {
  await stage.wait(stage.fault.ms ?? slowMs);
  stage.send(stage.run());
};

/** The behaviour of each fault. One that never calls `run` changes no data. */
export const faultPlays: Readonly<Record<FaultName, (stage: Stage) => void | Promise<void>>> = {
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
  wrongtypes: (stage) => {
    const reply = stage.run();
    stage.send({ ...reply, body: withWrongTypes(bodyOf(reply)) });
  },
  maps: (stage) => {
    const reply = stage.run();
    stage.send({ ...reply, body: withEmptyMaps(bodyOf(reply)) });
  },
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

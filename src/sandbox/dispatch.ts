import type { ServerResponse } from 'node:http';
import type { Call } from './call.ts';
import { faultPlays } from './fault-plays.ts';
import { headersOf, type Reply, sendReply } from './http.ts';
import { latencyOf } from './latency.ts';
import type { Service } from './service.ts';

/** Logs a call, lets the armed latency and fault act on it, does it and answers. */
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

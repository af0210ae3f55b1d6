import { onTestFinished } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { startTestGateway, type TestGatewayOptions } from './gateway.ts';
import { createGatewayClock, type GatewayClock } from './gateway-clock.ts';
import { inputTypeOf } from './input-type.ts';
import { hourMs, secondMs } from './simulated-clock.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const intervalMs = 5 * secondMs;

export const deliveries = 'deliveries { kind eventId eventType number status failure nextAt }';

/** A gateway whose webhooks may be on loopback, and a receiver. Events are found every five seconds of the simulated clock. */
export async function startWithReceiver({
  env = {},
  time = createGatewayClock(),
  ...options
}: TestGatewayOptions & { readonly time?: GatewayClock } = {}) {
  let laterMs = 0;
  const now = () => new Date(time.clock.now().getTime() + laterMs);
  const lines: Record<string, unknown>[] = [];
  const texts: string[] = [];
  const started = await startTestGateway({
    sandboxDomains: 40,
    clock: { ...time.clock, now },
    jobLeaseMs: hourMs,
    log: createLog({
      level: 'trace',
      write(line) {
        texts.push(line);
        lines.push(JSON.parse(line));
      },
    }),
    ...options,
    env: {
      EVENTS_INTERVAL_SECONDS: '5',
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      ...env,
    },
  });
  // A connection without a request is closed after half a second of the simulated time.
  onTestFinished(() => time.during(started.close()));
  const gateway = {
    query: (...request: Parameters<typeof started.query>) => time.during(started.query(...request)),
    restart: started.restart,
    metricsUrl: started.metricsUrl,
    export: (file: string): Promise<string> =>
      time.during(fetch(`${started.url}/export/${file}`).then((response) => response.text())),
    /** A gateway with the sandbox of another one has none. */
    sandboxUrl: () => started.sandboxUrl,
  };
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  // The first comparison only stores the states.
  await time.pass(secondMs);
  let isPrivate = false;

  return {
    ...{ time, gateway, receiver, lines, texts },
    /** Sets the wall time forwards. */
    skip(ms: number): void {
      laterMs += ms;
    },
    /** Lets another program change a domain, and the gateway find and deliver the event. */
    async happen(): Promise<void> {
      isPrivate = !isPrivate;
      const input = { domain: 'lowercase-demo.org', status: isPrivate };
      await started.callUpstream('modifyprivacystatus', input);
      await time.pass(intervalMs + 2 * secondMs);
    },
    /** The payload of a mutation. */
    async mutate(name: string, input: object, fields: string) {
      const errorFields = 'errors { __typename code message path }';
      const query = `mutation ($input: ${inputTypeOf(name)}!) { ${name}(input: $input) { ${fields} ${errorFields} } }`;
      const { data, errors } = await gateway.query(query, { input });
      if (errors) throw new Error(JSON.stringify(errors));
      return data[name];
    },
    async create(input: object = {}) {
      const created = await this.mutate(
        'createWebhook',
        { url: receiver.url, ...input },
        'secret webhook { id url state types description source }',
      );
      if (created.errors.length > 0) throw new Error(JSON.stringify(created.errors));
      return { ...created.webhook, secret: created.secret } as {
        readonly id: string;
        readonly secret: string;
      };
    },
    async read(id: string, fields: string) {
      const { data } = await gateway.query(`query ($id: ID!) { webhook(id: $id) { ${fields} } }`, {
        id,
      });
      return data.webhook;
    },
  };
}

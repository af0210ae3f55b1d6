import { createSchema } from 'graphql-yoga';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';
import { startNginx, type TestNginx, whyNoNginx } from '../support/nginx.ts';
import { because } from '../support/skipped.ts';

describe.skipIf(whyNoNginx)(
  `behind nginx that compresses and otherwise has its defaults${because(whyNoNginx)}`,
  () => {
    let gate: PromiseWithResolvers<number>;
    async function* ticks() {
      yield { ticks: 1 };
      yield { ticks: await gate.promise };
    }
    const schema = createSchema({
      typeDefs: 'type Query { now: Int, held: Int } type Subscription { ticks: Int }',
      resolvers: {
        Query: { now: () => 1, held: () => gate.promise },
        Subscription: { ticks: { subscribe: ticks } },
      },
    });
    let app: TestApp;
    let nginx: TestNginx;
    beforeAll(async () => {
      app = await startApp({ schema });
      nginx = await startNginx(
        (listen) => `gzip on;
          gzip_types *;
          server { listen ${listen}; location / { proxy_pass ${app.url}; } }`,
      );
    });
    beforeEach(() => {
      gate = Promise.withResolvers();
    });
    afterAll(async () => {
      await nginx.close();
      await app.close();
    });

    test.each([
      ['a subscription', 'subscription { ticks }', { data: { ticks: 1 } }],
      ['@defer', '{ now ... @defer { held } }', { data: { now: 1 }, hasNext: true }],
    ])(
      'an event stream of %s sends a part before the next one is known',
      async (_what, query, first) => {
        const headers = { 'accept-encoding': 'gzip' };
        const stream = await openStream(nginx.url, { query, headers });

        expect(await stream.next()).toMatchObject({ event: 'next', data: first });
        gate.resolve(2);

        expect(await stream.rest()).toHaveLength(2);
      },
    );

    test.each(['', ';incrementalSpec=v0.2', ';deferSpec=20220824'])(
      'multipart/mixed%s sends a part before the next one is known',
      async (form) => {
        const { headers, body } = await fetch(`${nginx.url}/graphql`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: `multipart/mixed${form}`,
            'accept-encoding': 'gzip',
          },
          body: JSON.stringify({ query: '{ now ... @defer { held } }' }),
        });

        let text = '';
        for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
          text += chunk;
          if (text.includes('"hasNext":true')) gate.resolve(2);
        }

        expect(text).toContain('"held":2');
        expect(headers.get('cache-control')).toBe('no-store, no-transform');
      },
    );
  },
);

import { createSchema } from 'graphql-yoga';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ways } from '../support/ways.ts';

/** A graph whose fields answer when the test lets them; `purchase` asks what became of a purchase. */
function slowGraph() {
  const released = Promise.withResolvers<void>();
  const begun: string[] = [];
  const answer = (name: string) => async () => {
    begun.push(name);
    await released.promise;
    return name;
  };
  const schema = createSchema({
    typeDefs: 'type Query { slow: String, purchase(id: ID): String }',
    resolvers: { Query: { slow: answer('slow'), purchase: answer('purchase') } },
  });
  const { purchase } = schema.getQueryType()?.getFields() ?? {};
  if (purchase) purchase.extensions = { neverLimited: true, cost: () => ({}) };
  const until = async (count: number) => {
    while (begun.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { schema, begun, until, release: () => released.resolve() };
}

describe.each(ways)('on %s', (_name, way) => {
  test('what is more than can be done is refused at once, and what was let in is finished', async () => {
    const { schema, begun, until, release } = slowGraph();
    const app = await startApp({ ...way, schema, admission: { most: 2 } });

    const letIn = [app.post({ query: '{ slow }' }), app.post({ query: '{ a: slow }' })];
    await until(2);
    const refused = await app.post({ query: '{ b: slow }' });
    release();
    const answers = await Promise.all(letIn);
    const after = await app.post({ query: '{ c: slow }' });
    await app.close();

    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body.errors).toEqual([
      {
        message: 'The gateway has more to do than it can do in time; try again in a moment.',
        extensions: expect.objectContaining({
          code: 'RATE_LIMITED',
          fault: 'OVERLOADED',
          executed: 'NO',
          retryable: true,
          requestId: expect.any(String),
        }),
      },
    ]);
    expect(answers.map(({ body }) => body.data)).toEqual([{ slow: 'slow' }, { a: 'slow' }]);
    expect(after.body.data).toEqual({ c: 'slow' });
    expect(begun).toHaveLength(3);
  });

  test('who asks what became of a purchase is let in when nobody else is, and only who does', async () => {
    const { schema, until, release } = slowGraph();
    const app = await startApp({ ...way, schema, admission: { most: 1 } });

    const first = app.post({ query: '{ slow }' });
    await until(1);
    const urgent = app.post({ query: '{ purchase(id: 1) }' });
    await until(2);
    const pretended = await app.post({ query: '{ slow } # purchase(id: 1)' });
    release();
    const { body } = await urgent;
    await first;
    await app.close();

    expect(body.data).toEqual({ purchase: 'purchase' });
    expect(pretended.status).toBe(503);
  });

  test('while the service has a line before it nothing more is let in for that account', async () => {
    const app = await startApp({ ...way, isCrowded: (tenant) => tenant === 'default' });

    const refused = await app.post({ query: '{ ok }' });
    await app.close();

    expect(refused.status).toBe(503);
  });

  test('whoever goes away gives the place back', async () => {
    const { schema, until, release } = slowGraph();
    const app = await startApp({ ...way, schema, admission: { most: 1 } });
    const leaving = new AbortController();
    const left = app
      .request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ slow }' }),
        signal: leaving.signal,
      })
      .catch(() => 'left');
    await until(1);

    leaving.abort();
    await left;
    const next = app.post({ query: '{ d: slow }' });
    await until(2);
    release();

    expect((await next).body.data).toEqual({ d: 'slow' });
    await app.close();
  });
});

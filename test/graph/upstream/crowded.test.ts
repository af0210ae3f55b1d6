import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';

const start = async (perCallMs: number) => {
  const gateway = await startTestGateway({
    sandboxDomains: 60,
    env: { MAX_TURN_MS: '1000', UPSTREAM_CONCURRENCY: '16' },
  });
  onTestFinished(() => gateway.close());
  await gateway.admin('POST', '/latency', { perCallMs });
  return gateway;
};

test('a long page of one caller is no crowd: others wait for their turn, and are answered', async () => {
  const gateway = await start(300);
  const page = gateway.query(
    '{ domains(first: 40) { nodes { contacts { registrant { email } } } } }',
  );

  const others = [];
  for (let at = 0; at < 3; at += 1) {
    await sleep(150);
    others.push(gateway.query('{ domain(name: "reseller-demo.com", refresh: true) { name } }'));
  }

  expect((await page).errors).toBeUndefined();
  expect((await Promise.all(others)).map(({ errors }) => errors)).toEqual(Array(3).fill(undefined));
});

test('more requests than can be served are refused once their line stands, what money waits for is not', async () => {
  const gateway = await start(500);
  const ask = (label: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      gateway.query(`{ domain(name: "${label}-${at}.com") { name } }`),
    );

  const burst = ask('burst', 60);
  await sleep(600);
  const later = await Promise.all(ask('later', 10));
  const outcome = await gateway.query('{ purchases(first: 1) { totalCount } }');

  for (const { errors } of later) {
    expect(errors).toMatchObject([{ extensions: { fault: 'OVERLOADED', executed: 'NO' } }]);
  }
  expect(outcome.data).toEqual({ purchases: { totalCount: 0 } });
  // On a busy machine some of the burst come late themselves.
  const served = (await Promise.all(burst)).filter(({ errors }) => errors === undefined).length;
  expect(served).toBeGreaterThan(16);
  expect(await gateway.countCalls()).toEqual({ getdetails: served });
});

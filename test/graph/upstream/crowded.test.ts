import { expect, onTestFinished, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';

const start = async (perCallMs: number) => {
  const gateway = await startTestGateway({
    sandboxDomains: 60,
    env: { MAX_TURN_MS: '1000', MAX_UPSTREAM_CALLS: '100' },
  });
  onTestFinished(() => gateway.close());
  await gateway.admin('POST', '/latency', { perCallMs });
  return gateway;
};
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

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
  const gateway = await start(200);
  const names = Array.from({ length: 120 }, (_, at) => at);

  const asked = [];
  for (const at of names) {
    await sleep(5);
    asked.push(gateway.query(`{ domain(name: "crowd-${at}.com") { name } }`));
  }
  const outcome = await gateway.query('{ operations(first: 1) { totalCount } }');
  const refused = (await Promise.all(asked)).filter(({ errors }) => errors !== undefined);

  expect(outcome.data).toEqual({ operations: { totalCount: 0 } });
  expect(refused.length).toBeGreaterThan(10);
  for (const { errors } of refused) {
    expect(errors).toMatchObject([{ extensions: { fault: 'OVERLOADED', executed: 'NO' } }]);
  }
  expect(await gateway.countCalls()).toEqual({ getdetails: names.length - refused.length });
});

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Environment } from '../../src/config/read-values.ts';
import { gateLimits } from '../../src/upstream/client/gate.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createGatewayClock } from '../support/gateway-clock.ts';

const refused =
  'The registrar refuses the login; correct DOMAIN_API_USERNAME and DOMAIN_API_PASSWORD, or TENANTS.';
const acceptedAgain = 'The registrar accepts the login again.';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** A gateway that checks its logins, and the sentences for its operator. */
async function start(env: Environment) {
  const sentences: string[] = [];
  const time = createGatewayClock();
  const gateway = time.withTime(
    await startTestGateway({
      ...{ clock: time.clock, checksLogin: true, upstreamLimits: gateLimits, env },
      notify: (sentence) => void sentences.push(sentence),
    }),
  );
  opened.push(() => gateway.close());
  /** What the health paths and the start page report, together. */
  const health = async () => {
    const get = (path: string, accept = '*/*') =>
      time.during(fetch(`${gateway.url}${path}`, { headers: { accept } }));
    const [ready, serving, page] = [
      await get('/health/ready'),
      await get('/health/serving'),
      await (await get('/', 'text/html')).text(),
    ];
    return {
      ...(await ready.json()),
      status: ready.status,
      serving: [serving.status, (await serving.json()).upstream.domain],
      page: /<p class="health \w+">([^<]*)/.exec(page)?.[1],
    };
  };
  return { gateway, time, sentences, health };
}

async function loginFile(text: string): Promise<string> {
  const folder = await newFolder('login');
  opened.push(() => rm(folder, { recursive: true }));
  const file = join(folder, 'text');
  await writeFile(file, text);
  return file;
}

const loginLines = ({ lines }: TestGateway) => lines.filter(({ msg }) => msg === 'login refused');
const unready = {
  ...{ status: 503, reason: refused, upstream: { domain: 'login refused' } },
  ...{ serving: [200, 'login refused'], page: refused },
};
const ready = {
  status: 200,
  ...{ upstream: { domain: 'closed' }, serving: [200, 'closed'], page: 'Ready.' },
};

test('a login that is refused at the start is reported at once, and a corrected file makes the gateway ready', async () => {
  const file = await loginFile('not-the-password');
  const { gateway, time, sentences, health } = await start({ DOMAIN_API_PASSWORD_FILE: file });

  expect(await health()).toMatchObject(unready);
  expect(sentences).toEqual([refused]);
  expect(loginLines(gateway)).toMatchObject([
    { level: 'error', tenant: 'default', reason: refused },
  ]);

  await writeFile(file, 'demo-password');
  await time.pass(4_000);

  expect(await health()).toMatchObject(ready);
  expect(sentences).toEqual([refused, acceptedAgain]);
});

test('a refusal of a later call is reported, and the login is tried again after each pause', async () => {
  const { gateway, time, sentences, health } = await start({});
  expect(await health()).toMatchObject(ready);
  expect(await gateway.countCalls()).toEqual({ resellerdetails: 1 });
  await time.pass(60_000);
  expect(await gateway.countCalls()).toEqual({ resellerdetails: 1 });

  const fault = { fault: 'code', code: 'INVALID_CREDENTIALS', status: 401, times: 1_000 };
  await gateway.admin('POST', '/faults', fault);
  await gateway.query('{ tld(name: "com") { name } }');

  expect(await health()).toMatchObject(unready);
  expect(sentences).toEqual([refused]);
  await gateway.resetCalls();
  // The pauses are 10, 20 and 40 seconds, and vary by a quarter.
  await time.pass(60_000);
  const { resellerdetails = 0 } = await gateway.countCalls();
  expect([2, 3]).toContain(resellerdetails);
  expect(loginLines(gateway)).toHaveLength(1);

  await gateway.admin('DELETE', '/faults');
  // The fourth pause is at most 100 seconds.
  await time.pass(110_000);
  expect(await health()).toMatchObject(ready);
  expect(sentences).toEqual([refused, acceptedAgain]);
});

test.each([
  ['another tenant', 'acme', 200, 'Ready.', `Tenant "acme": ${refused}`],
  ['the default tenant', 'default', 503, refused, refused],
])('of several logins that of %s is refused', async (_what, wrong, status, page, sentence) => {
  const users = { default: 'demo', acme: 'demo-two' };
  const rows = Object.entries(users).map(async ([name, user]) => {
    const password = name === wrong ? 'wrong-password' : `${user}-password`;
    return [name, { usernameFile: await loginFile(user), passwordFile: await loginFile(password) }];
  });
  const TENANTS = JSON.stringify(Object.fromEntries(await Promise.all(rows)));
  const { gateway, sentences, health } = await start({ TENANTS });

  const upstream = { domain: 'login refused' };
  expect(await health()).toMatchObject({ status, page, upstream });
  expect(sentences).toEqual([sentence]);
  expect(loginLines(gateway)).toMatchObject([{ tenant: wrong, reason: refused }]);
});

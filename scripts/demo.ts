import { print as printLine, readArguments } from '../src/console/program.ts';
import { order } from '../test/graph/purchases/shop.ts';
import { buy, openDeployment, sendQuery } from '../test/processes/deployment.ts';
import type { Running } from '../test/support/process.ts';

const help = `Kills a gateway during two purchases and prints each step. It takes about half a minute.

Usage: npm run demo
`;
readArguments('demo', help, {});

const startedMs = performance.now();
const print = (text: string) => {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1).padStart(5);
  printLine(`${seconds} s  ${text}`);
};

const deployment = await openDeployment({
  databaseUrl: null,
  env: { UPSTREAM_TIMEOUT_MS: '1000' },
  overrides: { quietWindowMs: 5_000 },
});
/** One purchase; `fault` is the fault of the sandbox in the call that spends money. */
async function show(title: string, domain: string, fault: 'hold-after' | 'hang'): Promise<void> {
  print('');
  print(`== ${domain}: ${title}`);
  const first = await deployment.start();
  await deployment.admin('POST', '/faults', { fault, action: 'registerdomain' });
  print(`registerDomain ${domain} under the key "${domain}" …`);
  const { response } = await buyUntilSent(first, domain);
  if (fault === 'hold-after')
    while (!(await deployment.admin('GET', '/held')).held) await pause(20);
  print(
    `… the sandbox has the call${fault === 'hang' ? '' : ' and has completed it'}, but sends no reply.`,
  );
  await first.kill();
  await response;
  print('kill -9 of the gateway. The client gets no response.');
  if (fault === 'hold-after') await deployment.admin('POST', '/release', {});

  const second = await deployment.start();
  print('The gateway starts again.');
  const state = await watch(second, domain);
  const again = (await sendQuery(second, buy, inputOf(domain))).registerDomain;
  print(`The client repeats the request: ${again.purchase.state}, replayed: ${again.replayed}.`);
  await second.kill();
  const calls = (await callsOf(domain)).length;
  const { purchases } = await deployment.admin('GET', '/state');
  const paid = purchases.filter((one: { domain: string }) => one.domain === domain).length;
  print(
    `Records of the sandbox: ${calls} purchase call, ${paid} charged. Reported by the gateway: ${state}.`,
  );
}

const inputOf = (domain: string) => ({
  input: order({ domain, period: 1, idempotencyKey: domain }),
});

interface Call {
  readonly action: string;
  readonly domain?: string;
}

const callsOf = async (domain: string): Promise<readonly Call[]> => {
  const calls = (await deployment.admin('GET', '/calls')) as readonly Call[];
  return calls.filter((call) => call.action === 'registerdomain' && call.domain === domain);
};

const maxAttempts = 10;

/** Repeats a request that ends before its call: on a busy machine a check before it can exceed the short timeout. */
async function buyUntilSent(
  gateway: Running,
  domain: string,
): Promise<{ response: Promise<unknown> }> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    let hasEnded = false;
    const response = sendQuery(gateway, buy, inputOf(domain))
      .catch(() => null)
      .finally(() => {
        hasEnded = true;
      });
    while (!hasEnded && (await callsOf(domain)).length === 0) await pause(50);
    if ((await callsOf(domain)).length > 0) return { response };
  }
  throw new Error(`The sandbox has no call for ${domain} after ${maxAttempts} requests.`);
}

/** Reads the purchase until it has settled, and prints each state once. */
async function watch(gateway: Running, key: string): Promise<string> {
  const query = `{ purchase(by: { key: "${key}" }) { state quietUntil nextStep errors { message } } }`;
  for (let printed = ''; ; await pause(500)) {
    const { purchase } = await sendQuery(gateway, query);
    const { state, nextStep, errors } = purchase;
    if (state !== printed)
      print(`The purchase is ${state}. ${errors[0]?.message ?? ''} ${nextStep}`);
    printed = state;
    if (state !== 'SENDING' && state !== 'PENDING') return state;
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

try {
  print('A sandbox is running. It records every call.');
  await show('bought, but the reply is lost', 'maple-lost.com', 'hold-after');
  await show('not bought, and no reply', 'maple-gone.com', 'hang');
  print(
    'Done. Each purchase was sent once, and its reported state matches the records of the sandbox.',
  );
} finally {
  await deployment.close();
}

import { order } from '../test/graph/purchases/shop.ts';
import { ask, buy, openStreet } from '../test/processes/street.ts';
import type { Running } from '../test/support/process.ts';

// npm run demo: two purchases whose gateway dies in the middle, told as they go. It takes about half a minute.

const startedMs = performance.now();
const say = (text: string) => {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${seconds} s  ${text}\n`);
};

const street = await openStreet({
  databaseUrl: null,
  env: { QUIET_WINDOW_SECONDS: '5', UPSTREAM_TIMEOUT_MS: '1000' },
});
/** One purchase; `fault` is what the service does with the call that spends. */
async function show(title: string, domain: string, fault: 'hold-after' | 'hang'): Promise<void> {
  say('');
  say(`== ${domain}: ${title}`);
  const first = await street.start();
  await street.admin('POST', '/faults', { fault, action: 'registerdomain' });
  say(`registerDomain ${domain} under the key "${domain}" …`);
  const answer = ask(first, buy, inputOf(domain)).catch(() => null);
  await untilSent(domain);
  if (fault === 'hold-after') while (!(await street.admin('GET', '/held')).held) await pause(20);
  say(
    `… the service has the call${fault === 'hang' ? '' : ' and has done it'}; its answer never leaves.`,
  );
  await first.kill();
  await answer;
  say('kill -9 of the gateway. The caller has no answer either.');
  if (fault === 'hold-after') await street.admin('POST', '/release', {});

  const second = await street.start();
  say('The gateway starts again.');
  const state = await watch(second, domain);
  const again = (await ask(second, buy, inputOf(domain))).registerDomain;
  say(
    `The caller sends the very same again: ${again.purchase.state}, replayed: ${again.replayed}.`,
  );
  await second.kill();
  const calls = (await callsOf(domain)).length;
  const { purchases } = await street.admin('GET', '/state');
  const paid = purchases.filter((one: { domain: string }) => one.domain === domain).length;
  say(`The books of the service: ${calls} call that spends, ${paid} paid for. Told: ${state}.`);
}

const inputOf = (domain: string) => ({
  input: order({ domain, period: 1, idempotencyKey: domain }),
});

interface Call {
  readonly action: string;
  readonly domain?: string;
}

const callsOf = async (domain: string): Promise<readonly Call[]> => {
  const calls = (await street.admin('GET', '/calls')) as readonly Call[];
  return calls.filter((call) => call.action === 'registerdomain' && call.domain === domain);
};

async function untilSent(domain: string): Promise<void> {
  while ((await callsOf(domain)).length === 0) await pause(50);
}

/** Reads the purchase until it has ended, and tells each state once. */
async function watch(gateway: Running, key: string): Promise<string> {
  const query = `{ purchaseByKey(key: "${key}") { state quietUntil nextStep error { message } } }`;
  for (let told = ''; ; await pause(500)) {
    const { purchaseByKey: purchase } = await ask(gateway, query);
    const { state, nextStep, error } = purchase;
    if (state !== told) say(`purchaseByKey: ${state}. ${error?.message ?? ''} ${nextStep}`);
    told = state;
    if (state !== 'PENDING') return state;
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

try {
  say('A sandbox of the service runs, and will see everything that is sent.');
  await show('bought, and nobody heard the answer', 'maple-lost.com', 'hold-after');
  await show('never bought, and nobody was told', 'maple-gone.com', 'hang');
  say('Done. Each was sent once, and what each was told as is what the books of the service say.');
} finally {
  await street.close();
}

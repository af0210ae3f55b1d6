import { parseDomainName } from '../../src/kernel/domain-name.ts';
import { money } from '../../src/kernel/money.ts';
import type { PurchasePayload } from '../../src/modules/registration/payload.ts';
import type { Asked } from './history.ts';
import { maxAges, type Process, type Surroundings } from './process.ts';
import { authCode } from './service.ts';

/** Somebody who buys, and does not give up before the end is known. */
export interface Buyer extends Asked {
  /** The name of the API key; null without one. */
  readonly caller: string | null;
  readonly startsAfterMs: number;
  /** The most it may cost; null for any price. */
  readonly maxPrice: string | null;
  readonly hangsUpAfterMs: number | null;
}

const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  phone: '+49 30 123456',
  address: { line1: 'Musterweg 1', city: 'Berlin', zipCode: '10115', country: 'DE' },
};
const nameServers = [parseDomainName('ns1.example.net')];
const ended: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'UNKNOWN']);
const patience = 60;

/** Buys, asks again under the same key whenever the line breaks, and reads until it is over. */
export async function buy(
  buyer: Buyer,
  around: Surroundings,
  choose: () => Process | undefined,
): Promise<void> {
  const { world, history } = around;
  const later = (from: number, to: number) => world.pass(world.random.between(from, to));
  await world.pass(buyer.startsAfterMs);
  for (let attempt = 0; attempt < patience; attempt += 1) {
    const process = choose();
    const before = history.before(buyer);
    const answer = process && (await askOnce(buyer, around, process));
    if (!answer || answer === 'lost') {
      await later(50, 8_000);
      continue;
    }
    history.answered(buyer, before, answer);
    if (!answer.purchase) {
      // Refused, and nothing was sent. Some come back once.
      if (attempt > 2 || world.random.chance(0.6)) return;
      await later(500, 20_000);
      continue;
    }
    const { id, state } = answer.purchase;
    if (!ended.has(state) && !(await readUntilOver(id, around, choose))) return;
    if (buyer.key === null || world.random.chance(0.5)) return;
    await later(50, 30_000);
  }
}

/** How much longer a check of several names may be under way for each. */
const perNameMs = 1_000;

/** Looks which names are free. What is told may be of a call that began before for somebody else, or was kept. */
export async function browse(
  names: readonly string[],
  { world, history, timings }: Surroundings,
  choose: () => Process | undefined,
): Promise<void> {
  const process = choose();
  const askedAtMs = world.nowMs();
  const free = await Promise.race([process?.available(names), process?.killed]);
  if (!Array.isArray(free)) return;
  const longestCallMs = timings.timeoutMs + names.length * perNameMs;
  const begunMs = Math.max(maxAges.availabilityMs, longestCallMs) + world.nowMs() - askedAtMs;
  for (const name of free) history.offered(name, begunMs);
}

/** Deletes the logs of an account, which nobody can read back. */
export async function deleteLogs(
  token: string,
  { history }: Surroundings,
  choose: () => Process | undefined,
): Promise<void> {
  const process = choose();
  const answer = await Promise.race([process?.deleteLogs(token), process?.killed]);
  if (answer && answer !== 'killed') history.deleted(token, answer);
}

async function readUntilOver(
  id: string,
  { world, history }: Surroundings,
  choose: () => Process | undefined,
): Promise<boolean> {
  const isImpatient = world.random.chance(0.3);
  for (let look = 0; look < patience; look += 1) {
    await world.pass(world.random.between(500, (isImpatient ? 3_000 : 15_000) + look * 1_000));
    const process = choose();
    if (!process) continue;
    try {
      const read = await Promise.race([process.byId(id), process.killed]);
      if (read === 'killed') continue;
      if (read === null) world.violate('I5', `${id} is gone from the journal`);
      else history.told(read);
      if (read === null || ended.has(read.state)) return true;
    } catch (error) {
      history.failed(error);
    }
  }
  return false;
}

async function askOnce(
  { kind, domain, period, key, caller, maxPrice, hangsUpAfterMs }: Buyer,
  { world, history }: Surroundings,
  process: Process,
): Promise<PurchasePayload | 'lost'> {
  const line = new AbortController();
  if (hangsUpAfterMs !== null)
    world.after(hangsUpAfterMs, null, () => line.abort(new Error('hung up')));
  const order = {
    domain: parseDomainName(domain),
    period,
    maxPrice: maxPrice === null ? null : money(maxPrice, 'USD'),
    idempotencyKey: key,
    dryRun: false,
  };
  world.trace(`${process.owner.name} is asked to ${kind} ${domain} under ${key}`);
  const answer =
    kind === 'REGISTER'
      ? process.register(
          {
            ...order,
            nameServers,
            registrant: ada,
            privacyProtected: false,
            transferLocked: true,
            acceptPremium: false,
          },
          { signal: line.signal, caller },
        )
      : process.transfer({ ...order, authCode }, { signal: line.signal, caller });
  try {
    const got = await Promise.race([answer, process.killed]);
    return got === 'killed' ? 'lost' : got;
  } catch (error) {
    if (error instanceof Error && error.message === 'hung up') return 'lost';
    history.failed(error);
    return 'lost';
  }
}

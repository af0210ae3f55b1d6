import type { DomainChange } from '../../src/features/bulk-change/change.ts';
import { changeView, maxItems } from '../../src/features/bulk-change/change-job.ts';
import { bulkChanges } from '../../src/features/bulk-change/parts.ts';
import type { ChangeOperator } from './change-weather.ts';
import { type Reach, request, unheard } from './order-buyers.ts';
import type { Process, RunContext } from './process.ts';

/** The facts of a requested job that distinguish it from others. */
export interface RequestedChange {
  readonly key: string;
  readonly names: readonly string[];
  readonly change: Extract<
    DomainChange,
    { setNameServers: unknown } | { replaceNameServer: unknown } | { privacyProtected: unknown }
  >;
}

const maxAttempts = 40;
/** Longer than any job takes, with the longest pauses. */
const maxLooks = 160;

/** Starts a job, repeats the request with the same key after each broken connection, and reads until the job ended. */
export async function changeMany(
  operator: ChangeOperator,
  around: RunContext,
  choose: () => Process | undefined,
): Promise<void> {
  const { world } = around;
  await world.pass(operator.startsAfterMs);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const process = choose();
    const id = process && (await startOnce(operator, around, process));
    if (id) return followToEnd(id, operator, { around, choose });
    if (id === null) return;
    await world.pass(world.random.between(50, 8_000));
  }
}

/** Returns the id of the job, null when it was refused, and undefined without a reply. */
async function startOnce(
  { key, names, change }: RequestedChange,
  around: RunContext,
  process: Process,
): Promise<string | null | undefined> {
  const { world, history } = around;
  world.trace(`${process.owner.name} receives a job under ${key}`);
  const input = { idempotencyKey: key, names, expectedCount: names.length, change };
  const before = history.changes.before(key);
  const by = { ...unheard, caller: around.approvals ? 'shop' : null };
  const payload = await request({ around }, process, () =>
    process.request(by).use(bulkChanges).create(input),
  );
  if (!payload) return undefined;
  const { bulkChange: job, errors } = payload;
  history.changes.created({ key, names, change }, before, { job, errors });
  if (job) return job.job.id;
  return errors.some(({ code }) => code === 'JOURNAL_UNAVAILABLE') ? undefined : null;
}

async function followToEnd(id: string, operator: ChangeOperator, reach: Reach): Promise<void> {
  const { world } = reach.around;
  const cancelAtMs = world.nowMs() + (operator.cancelsAfterMs ?? Infinity);
  let hasCancelled = false;
  let retriesLeft = operator.retries;
  for (let look = 0; look < maxLooks; look += 1) {
    const isDue = !hasCancelled && world.nowMs() >= cancelAtMs;
    const process = reach.choose();
    if (process) {
      if (isDue) hasCancelled = await endWaiting(id, reach, process);
      else if (operator.follows) await followOnce(id, reach, process);
      if (await readOnce(id, operator, reach, process)) {
        if (retriesLeft === 0) return;
        retriesLeft -= 1;
        if (!(await retryOnce(id, reach, process))) return;
      }
    }
    await world.pass(world.random.between(500, 5_000 + look * 500));
  }
}

/** Returns whether the job has ended. */
async function readOnce(
  id: string,
  { key }: RequestedChange,
  reach: Reach,
  process: Process,
): Promise<boolean> {
  const { world, history } = reach.around;
  const floor = history.changes.succeeded(id);
  const changes = process.request(unheard).use(bulkChanges);
  const found = await request(reach, process, async () => {
    const read = await (world.random.chance(0.5) ? changes.byId(id) : changes.find({ key }));
    const progress = read && (await changes.progressOf(read));
    return {
      read,
      progress,
      items: read ? await changes.pageOf(read, { first: maxItems }) : [],
    };
  });
  if (!found) return false;
  const { read, progress, items } = found;
  if (!read || !progress || read.job.id !== id) {
    world.violate('C7', `${id} is gone from the journal, or has another key`);
    return true;
  }
  history.changes.reported(id, progress, { floor, items });
  return changeView.jobState(progress) !== 'RUNNING';
}

/** Returns whether the request was answered. */
async function endWaiting(id: string, reach: Reach, process: Process): Promise<boolean> {
  const { history } = reach.around;
  const floor = history.changes.succeeded(id);
  const changes = process.request(unheard).use(bulkChanges);
  const payload = await request(reach, process, async () => {
    const { bulkChange: job } = await changes.cancel({ id });
    return { progress: job ? await changes.progressOf(job) : null };
  });
  if (payload?.progress) history.changes.reported(id, payload.progress, { floor, items: [] });
  if (payload) history.count('jobs cancelled');
  return payload !== null;
}

/** Returns whether some domains were started again. */
async function retryOnce(id: string, reach: Reach, process: Process): Promise<boolean> {
  const { history } = reach.around;
  const payload = await request(reach, process, () =>
    process.request(unheard).use(bulkChanges).retry({ id }),
  );
  if (payload?.retried) history.count('jobs retried');
  return payload === null || payload.bulkChange !== undefined;
}

/** Follows the progress to the end of the stream, for some time, or until the process is killed. */
async function followOnce(id: string, reach: Reach, process: Process): Promise<void> {
  const { world, history } = reach.around;
  const untilMs = world.nowMs() + world.random.between(5_000, 120_000);
  await request(reach, process, async () => {
    let floor = history.changes.succeeded(id);
    const changes = process.request(unheard).use(bulkChanges);
    for await (const { job, changed } of await changes.progress(id)) {
      history.count('progress');
      history.changes.reported(id, await changes.progressOf(job), { floor, items: changed });
      floor = history.changes.succeeded(id);
      if (world.nowMs() > untilMs) return;
    }
  });
}

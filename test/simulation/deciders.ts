import { approvals } from '../../src/features/approval/parts.ts';
import type { ApprovalWeather, Decider } from './approval-weather.ts';
import { request } from './order-buyers.ts';
import type { Process, RunContext } from './process.ts';

/** Longer than anything waits for a decision. */
const maxMs = 40 * 60_000;
const page = { filter: { states: ['REQUESTED'] }, limit: 20 } as const;

/** Decides about waiting requests, again and again, and sometimes about one that was decided before. */
export async function decide(
  decider: Decider,
  around: RunContext,
  choose: () => Process | undefined,
): Promise<void> {
  const { world } = around;
  const seen: string[] = [];
  await world.pass(decider.startsAfterMs);
  while (world.nowMs() < maxMs) {
    const process = choose();
    if (process) await decideOnce(decider, around, { process, seen });
    await world.pass(world.random.between(0.5, 1.5) * decider.everyMs);
  }
}

async function decideOnce(
  { caller, rejects }: Decider,
  around: RunContext,
  { process, seen }: { readonly process: Process; readonly seen: string[] },
): Promise<void> {
  const { world, history } = around;
  const { random } = world;
  const by = { signal: new AbortController().signal, caller };
  const service = () => process.request(by).use(approvals);
  const listed = await request({ around }, process, () => service().list(page));
  if (!listed) return;
  const ids = listed.items.map(({ id }) => id);
  seen.push(...ids.filter((id) => !seen.includes(id)));
  const [decided] = seen.length > 0 && random.chance(0.1) ? [random.pick(seen)] : [];
  const id = decided ?? (ids.length > 0 ? random.pick(ids) : null);
  if (id === null) return;
  // A person looks at it first.
  if (random.chance(0.5)) await world.pass(random.between(0, 30_000));
  const to = random.chance(rejects) ? 'REJECTED' : 'GRANTED';
  world.trace(`${process.owner.name} receives ${to} of ${id} by ${caller}`);
  const payload = await request({ around }, process, () =>
    to === 'GRANTED' ? service().approve(id) : service().reject({ id, reason: 'too expensive' }),
  );
  if (payload)
    history.approvals?.decided({ id, by: caller, to }, payload.approval ?? null, payload.errors);
}

/** The rules at a time. */
export const rulesAt = ({ rules, laterRules, changesAtMs }: ApprovalWeather, nowMs: number) =>
  nowMs < changesAtMs ? rules : laterRules;

import { createApprovalRules } from '../../src/kernel/approval-rules.ts';
import type { Caller } from '../../src/kernel/caller.ts';
import type { Approval } from '../../src/modules/approval/service.ts';
import type { Process, RunContext } from './process.ts';
import type { SharedStore } from './store.ts';
import type { World } from './world.ts';

/** Every purchase needs an approval. */
export const rulesOfRun = createApprovalRules([
  {
    ...{ name: 'rule 1', operations: ['REGISTRATION', 'TRANSFER'], when: {} },
    expiresAfterMs: 10 * 60_000,
  },
]);

/** A person who decides about requests, also about those that are theirs, have expired or were decided by another one. */
export async function decide(
  name: NonNullable<Caller['name']>,
  { world, history }: RunContext,
  choose: () => Process | undefined,
): Promise<never> {
  const { random } = world;
  const seen: Approval[] = [];
  for (;;) {
    await world.pass(random.between(500, 60_000));
    const process = choose();
    if (!process) continue;
    const by = { signal: new AbortController().signal, caller: name };
    const { approvals } = process.services(by);
    try {
      const read = await Promise.race([approvals.list({ filter: {}, limit: 20 }), process.killed]);
      if (read === 'killed') continue;
      seen.push(...read.items);
      const approval = seen.length > 0 ? random.pick(seen) : undefined;
      if (!approval) continue;
      const decision = random.chance(0.7)
        ? process.services(by).approvals.approve(approval.id)
        : process.services(by).approvals.reject({ id: approval.id, reason: 'no' });
      const made = await Promise.race([decision, process.killed]);
      if (made === 'killed') continue;
      history.count(made.errors.length > 0 ? 'decision refused' : 'decision made');
      const isOwn = approval.caller === null || approval.caller === name;
      if (isOwn && made.errors.length === 0) {
        world.violate('A1', `${name} decided about its own request ${approval.id}`);
      }
    } catch (error) {
      history.failed(error);
    }
  }
}

/** Checks A1 for a purchase that is sent: another caller has approved this input for at least this cost. */
export function checkApproval(world: World, store: SharedStore, purchase: Row): void {
  const id = String(purchase.order_id ?? purchase.id);
  const [approval] = store.rows('select * from approvals where id = ?', id);
  const flaw = approval ? flawOf(approval, purchase) : 'it has no approval';
  if (flaw) world.violate('A1', `${purchase.id} is sent, and ${flaw}`);
}

type Row = Readonly<Record<string, unknown>>;

function flawOf(approval: Row, purchase: Row): string | null {
  if (approval.state !== 'GRANTED') return `its approval is ${approval.state}`;
  if (approval.decided_by === approval.caller) return 'its own caller approved it';
  // The approval of an order is about all its lines.
  if (purchase.order_id !== null) return null;
  if (approval.fingerprint !== purchase.fingerprint) return 'other input was approved';
  const [cost, approved] = [Number(purchase.cost_amount), Number(approval.cost_amount)];
  return cost > approved ? `it costs ${cost}, and ${approved} was approved` : null;
}

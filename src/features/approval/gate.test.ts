import { expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import { createSharedStore } from '../../../test/simulation/store.ts';
import { createSimulatedClock, minuteMs } from '../../../test/support/simulated-clock.ts';
import { anonymous } from '../../kernel/caller.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { keyOfId } from '../../kernel/ids.ts';
import { systemRandomness } from '../../lib/system.ts';
import { createJournal } from '../../persistence/journal.ts';
import { createApprovalGate } from './gate.ts';
import { createApprovalRules } from './rules.ts';
import { createApprovalStore } from './store.ts';

test('an approval that has expired, and is not stored so yet, does not prevent the next one', async () => {
  const store = await createSharedStore();
  const approvals = createApprovalStore(createJournal(store.open(async () => undefined)).database);
  const { clock, pass } = createSimulatedClock();
  const rule = { position: 1, operations: ['UNLOCK'] as const, when: {} };
  const rules = createApprovalRules([{ ...rule, expiresAfterMs: minuteMs }]);
  const gate = createApprovalGate({
    ...{ approvalRules: () => rules, approvals, account, clock, randomness: systemRandomness },
    caller: { ...anonymous, name: 'shop' },
  });
  const domain = parseDomainName('unlock.com');
  const approvalId = () =>
    gate.require({ operation: 'UNLOCK', domain }).then(
      () => '',
      ({ facts }) => keyOfId('Approval', facts.extensions.approvalId) ?? '',
    );

  const first = await approvalId();
  expect(await approvalId()).toBe(first);
  await pass(minuteMs);
  const second = await approvalId();

  expect(second).not.toBe(first);
  const states = (await approvals.byIds(account, [first, second])).map((one) => one.state);
  expect(states.toSorted()).toEqual(['EXPIRED', 'REQUESTED']);
});

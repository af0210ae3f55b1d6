import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startProxiedSandbox } from '../../../../test/graph/purchases/proxy.ts';
import { order } from '../../../../test/graph/purchases/shop.ts';
import { ada } from '../../../../test/support/ada.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { minuteMs, secondMs } from '../../../../test/support/simulated-clock.ts';
import { globalId } from '../../../kernel/ids.ts';
import { codesOf, openApprovalShop, type Payload } from './approval-shop.ts';

test('a registration is sent once, and only after the approval of another key', {
  tags: ['A1'],
}, async () => {
  const { register, purchases, approve, settle, purchase, shop, ask } = await openApprovalShop();

  const asked = await register({ domain: 'approved.com', idempotencyKey: 'a-1' });
  expect(asked).toMatchObject({
    purchase: { state: 'AWAITING_APPROVAL', key: 'a-1', settledAt: null, errors: [] },
    ...{ replayed: false, keyUsed: true, needsApproval: true, errors: [] },
  });
  const { approval, id } = asked.purchase;
  expect(approval).toMatchObject({
    ...{ operation: 'REGISTRATION', state: 'REQUESTED', count: 1 },
    subject: { domainName: 'approved.com' },
    ...{
      rule: { position: 1, text: null },
      caller: 'buyer',
      price: asked.purchase.price,
      decidedAt: null,
    },
  });
  await settle();
  expect(await purchases()).toBe(0);
  expect((await purchase(id)).state).toBe('AWAITING_APPROVAL');

  const { errors, approval: decided } = await approve(approval.id);
  expect(errors).toEqual([]);
  expect(decided).toMatchObject({ state: 'GRANTED', decidedBy: 'decider' });
  await settle();

  expect(await purchase(id)).toMatchObject({
    ...{ state: 'SUCCEEDED', key: 'a-1', errors: [] },
    approval: { state: 'GRANTED', decidedBy: null },
  });
  expect(await purchases()).toBe(1);
  expect(await shop.ledger()).toHaveLength(1);
  const { auditLog } = await ask(
    'overseer',
    '{ auditLog(first: 9) { nodes { operation requestId outcome } } }',
  );
  const sent = { operation: 'registerDomain', requestId: id, outcome: 'SUCCEEDED' };
  expect(auditLog.nodes).toContainEqual(sent);
});

test('a balance that covers the cost is sufficient for an approved purchase', async () => {
  const env = { DOMAIN_API_USERNAME: 'broke', DOMAIN_API_PASSWORD: 'broke-password' };
  const { register, approve, settle, purchase, shop } = await openApprovalShop({ env });
  const { purchase: asked } = await register({ domain: 'last-cents.nl' });
  await approve(asked.approval.id);
  await settle();

  const price = { amount: '9.8000', currency: 'USD' };
  expect(await purchase(asked.id)).toMatchObject({ state: 'SUCCEEDED', price });
  expect((await shop.balances()).USD).toBe('0.1000');
});

test('a transfer is sent after the approval', async () => {
  const { transfer, purchases, approve, settle, purchase } = await openApprovalShop();
  const asked = await transfer('outside-one.com');
  expect(asked.errors).toEqual([]);
  expect(asked.purchase.state).toBe('AWAITING_APPROVAL');
  await approve(asked.purchase.approval.id);
  await settle();

  expect((await purchase(asked.purchase.id)).state).toBe('IN_PROGRESS');
  expect(await purchases()).toBe(1);
});

test('a rejected purchase fails with the reason, and nothing is sent', {
  tags: ['A1'],
}, async () => {
  const { register, purchases, reject, settle, purchase, approve } = await openApprovalShop();
  const { purchase: asked } = await register({ domain: 'rejected.com' });

  const { approval } = await reject(asked.approval.id, 'Too expensive.');
  expect(approval).toMatchObject({ state: 'REJECTED', reason: 'Too expensive.' });
  await settle();

  const failed = await purchase(asked.id);
  expect(failed).toMatchObject({
    state: 'FAILED',
    errors: [{ code: 'APPROVAL_REJECTED', executed: 'NO', retryable: false }],
  });
  expect(failed.errors[0].message).toContain('Too expensive.');
  expect(codesOf(await approve(asked.approval.id, 'second'))).toEqual(['INVALID_INPUT']);
  expect(await purchases()).toBe(0);
});

test('a purchase that is not approved in time fails, and cannot be approved any more', {
  tags: ['A1'],
}, async () => {
  const rules = [{ operations: ['REGISTRATION'], expiresAfter: '10m' }];
  const { register, purchases, approve, purchase, time } = await openApprovalShop({ rules });
  const { purchase: asked } = await register({ domain: 'expired.com' });
  time.suspend(10 * minuteMs);
  await time.pass(5 * secondMs);

  expect(codesOf(await approve(asked.approval.id))).toEqual(['INVALID_INPUT']);
  expect(await purchase(asked.id)).toMatchObject({
    state: 'FAILED',
    approval: { state: 'EXPIRED' },
    errors: [{ code: 'APPROVAL_EXPIRED', executed: 'NO' }],
  });
  expect(await purchases()).toBe(0);
});

test('a caller decides neither about its own request nor about that of another key of its person', {
  tags: ['A1'],
}, async () => {
  const { register, approve, reject, approvals } = await openApprovalShop();
  const own = (await register({ domain: 'requested-by-me.com' }, 'overseer')).purchase.approval;
  const ofPerson = (await register({ domain: 'requested-by-person.com' })).purchase.approval;

  expect(codesOf(await approve(own.id, 'overseer'))).toEqual(['FORBIDDEN']);
  expect(codesOf(await reject(own.id, 'No.', 'overseer'))).toEqual(['FORBIDDEN']);
  expect(codesOf(await approve(ofPerson.id, 'twin'))).toEqual(['FORBIDDEN']);
  const states = (await approvals('decider')).map(({ state }: Payload) => state);
  expect(states).toEqual(['REQUESTED', 'REQUESTED']);
});

test('a caller without the scope sees its own requests only and decides about none', async () => {
  const { register, approvals, send, ask } = await openApprovalShop();
  const { approval } = (await register({ domain: 'seen.com' }, 'overseer')).purchase;
  await register({ domain: 'mine.com' });

  expect((await approvals('buyer')).map(({ subject }) => subject.domainName)).toEqual(['mine.com']);
  const { node } = await ask('buyer', 'query ($id: ID!) { node(id: $id) { id } }', approval);
  expect(node).toBeNull();
  const document = 'mutation ($id: ID!) { approve(input: { id: $id }) { errors { code } } }';
  const { errors } = await send('buyer', document, { id: approval.id });
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

test('a caller that is bound to a customer sees the requests of its customer, and decides about none', async () => {
  const { register, approvals, send } = await openApprovalShop();
  const { approval } = (await register({ domain: 'of-bob.com' }, 'bob')).purchase;
  const own = (await register({ domain: 'of-ada.com' }, 'ada')).purchase.approval;
  expect(own).toMatchObject({ customer: 'ada-ltd', caller: 'ada' });

  expect((await approvals('ada')).map(({ subject }) => subject.domainName)).toEqual(['of-ada.com']);
  expect(await approvals('ada', { customer: 'bob-ltd' })).toEqual([]);
  for (const id of [approval.id, own.id]) {
    const document = 'mutation ($id: ID!) { approve(input: { id: $id }) { errors { code } } }';
    const { errors } = await send('ada', document, { id });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  }
});

test('the same key is the same purchase in each state, and other input is refused', {
  tags: ['A1'],
}, async () => {
  const { register, purchases, approve, settle, approvals } = await openApprovalShop();
  const input = { domain: 'replayed.com', idempotencyKey: 'again' };
  const { purchase: asked } = await register(input);

  expect(await register(input)).toMatchObject({
    ...{ purchase: { id: asked.id, state: 'AWAITING_APPROVAL' }, replayed: true },
  });
  expect(codesOf(await register({ ...input, period: 2 }))).toEqual(['IDEMPOTENCY_CONFLICT']);
  expect(await approvals('decider')).toHaveLength(1);
  await approve(asked.approval.id);
  await settle();
  expect(await register(input)).toMatchObject({
    ...{ purchase: { id: asked.id, state: 'SUCCEEDED' }, replayed: true },
  });
  expect(await purchases()).toBe(1);
});

test('concurrent requests with one key make one purchase and one approval', async () => {
  const { register, approve, settle, approvals, purchases } = await openApprovalShop();
  const input = { domain: 'concurrent.com', idempotencyKey: 'one' };
  const all = await Promise.all([1, 2, 3, 4].map(() => register(input)));
  expect(new Set(all.map(({ purchase }) => purchase.id)).size).toBe(1);
  const [approval, ...others] = await approvals('decider');
  expect(others).toEqual([]);
  await approve(approval.id);
  await settle();
  expect(await purchases()).toBe(1);
});

test('a dry run reports that an approval is needed, and requests none', async () => {
  const { register, approvals } = await openApprovalShop();
  const tried = await register({ domain: 'tried-only.com', dryRun: true });
  expect(tried).toMatchObject({ needsApproval: true, purchase: null, errors: [] });
  expect(await approvals('decider')).toEqual([]);
});

test('a purchase that no rule matches is sent at once', async () => {
  const costAbove = { amount: '1000', currency: 'USD' };
  const rules = [{ operations: ['REGISTRATION'], when: { costAbove }, expiresAfter: '1h' }];
  const { register, approvals, purchases } = await openApprovalShop({ rules });
  const made = await register({ domain: 'not-matched.com' });
  expect(made).toMatchObject({
    ...{ needsApproval: false, purchase: { state: 'SUCCEEDED', approval: null } },
  });
  expect(await approvals('decider')).toEqual([]);
  expect(await purchases()).toBe(1);
});

test('a purchase that waits does not prevent another one of the name, and fails when that one has the domain', async () => {
  const keys = ['buyer'];
  const rules = [{ operations: ['REGISTRATION'], when: { keys }, expiresAfter: '1h' }];
  const { register, approve, settle, purchase, purchases } = await openApprovalShop({ rules });
  const { purchase: asked } = await register({ domain: 'wanted-by-two.com' });
  const other = await register({ domain: 'wanted-by-two.com' }, 'overseer');
  expect(other.purchase.state).toBe('SUCCEEDED');
  expect(await purchases()).toBe(1);

  await approve(asked.approval.id);
  await settle();
  const failed = await purchase(asked.id);
  expect(failed.state).toBe('FAILED');
  expect(codesOf(failed)).toEqual(['ALREADY_OWNED']);
  expect(await purchases()).toBe(1);
});

test('a decider sees the registrant and the name servers until the purchase is sent', async () => {
  const { register, send, ask, approve, settle } = await openApprovalShop();
  const { purchase } = await register({ domain: 'bücher-maple.com', idempotencyKey: 'facts' });
  const document = `query ($id: ID!) { node(id: $id) { ... on Approval { registrations {
    domainName registrant { firstName lastName company email address { city country } } nameServers } } } }`;
  const { id } = purchase.approval;

  const { node } = await ask('overseer', document, { id });
  const hidden = await send('bob', document, { id });

  expect(node.registrations).toEqual([
    {
      domainName: 'xn--bcher-maple-thb.com',
      registrant: {
        ...{ firstName: ada.firstName, lastName: ada.lastName, company: null },
        ...{ email: ada.email, address: { city: ada.address.city, country: ada.address.country } },
      },
      nameServers: order({}).nameServers,
    },
  ]);
  expect(JSON.stringify(hidden)).not.toContain(ada.email);
  await approve(id);
  await settle();
  expect((await ask('overseer', document, { id })).node.registrations).toEqual([]);
});

test('a purchase that waits is cancelled once, and never sent', { tags: ['A1'] }, async () => {
  const { register, cancel, approve, settle, purchase, purchases, ask, shop } =
    await openApprovalShop();
  const input = { domain: 'cancelled.com', idempotencyKey: 'c-1' };
  const { id, approval } = (await register(input)).purchase;
  await shop.gateway.resetCalls();

  const { purchase: cancelled, errors } = await cancel({ key: 'c-1' });

  expect(errors).toEqual([]);
  expect(cancelled).toMatchObject({
    ...{ id, state: 'FAILED', submittedAt: null, settledAt: expect.any(String) },
    approval: { state: 'CANCELLED', decidedAt: null, decidedBy: null },
    errors: [{ code: 'APPROVAL_CANCELLED', executed: 'NO', retryable: false }],
  });
  expect(codesOf(await approve(approval.id))).toEqual(['INVALID_INPUT']);
  expect(codesOf(await cancel({ id }))).toEqual(['INVALID_INPUT']);
  await settle();
  expect(await purchase(id)).toEqual(cancelled);
  expect(await shop.gateway.upstreamCalls()).toEqual([]);
  expect(await register(input)).toMatchObject({ purchase: { id }, replayed: true });
  expect(await purchases()).toBe(0);
  expect(await shop.ledger()).toEqual([]);

  const { auditLog } = await ask(
    'overseer',
    '{ auditLog(first: 9) { nodes { operation domainName caller outcome } } }',
  );
  const entries = auditLog.nodes.filter((one: Payload) => one.operation === 'cancelPurchase');
  const entry = { operation: 'cancelPurchase', domainName: 'cancelled.com', caller: 'buyer' };
  expect(entries).toEqual([
    { ...entry, outcome: 'INVALID_INPUT' },
    { ...entry, outcome: 'OK' },
  ]);
});

test('a purchase that does not wait, or that is of another caller, is not cancelled', async () => {
  const keys = ['buyer', 'bob'];
  const rules = [{ operations: ['REGISTRATION'], when: { keys }, expiresAfter: '1h' }];
  const { register, cancel, approve, settle, purchase, purchases, ask } = await openApprovalShop({
    rules,
  });
  const { purchase: own } = await register({ domain: 'decided.com' });
  const { purchase: ofBob } = await register({ domain: 'of-bob.com' }, 'bob');
  for (const [id, name] of [
    [globalId('Purchase', 'unknown'), 'buyer'],
    [own.id, 'twin'],
    [ofBob.id, 'buyer'],
    [ofBob.id, 'ada'],
  ] as const) {
    expect((await cancel({ id }, name)).errors).toMatchObject([
      { code: 'NOT_FOUND', path: ['input', 'id'], message: expect.stringContaining('purchases') },
    ]);
  }

  await approve(own.approval.id);
  expect(codesOf(await cancel({ id: own.id }))).toEqual(['INVALID_INPUT']);
  await settle();
  expect((await purchase(own.id)).state).toBe('SUCCEEDED');
  expect((await cancel({ key: own.key })).errors).toMatchObject([
    { code: 'INVALID_INPUT', path: ['input', 'key'], message: expect.stringContaining('nextStep') },
  ]);

  const { registrant, nameServers } = order({});
  const input = {
    ...{ idempotencyKey: 'order', defaults: { registrant, nameServers } },
    lines: [{ registration: { domain: 'a-line.com' } }],
  };
  await ask(
    'overseer',
    'mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) { errors { code } } }',
    { input },
  );
  await settle();
  const { orders } = await ask('overseer', '{ orders { nodes { lines { purchase { id } } } } }');
  const [line] = orders.nodes[0].lines;
  expect((await cancel(line.purchase, 'overseer')).errors).toMatchObject([
    { code: 'INVALID_INPUT', message: expect.stringContaining('larger request') },
  ]);
  expect(await purchases()).toBe(2);
  expect((await purchase(ofBob.id, 'bob')).state).toBe('AWAITING_APPROVAL');
});

test('of an approval and a cancellation at once on two replicas one takes effect', {
  tags: ['A1'],
}, async () => {
  const [sandbox, folder] = [await startProxiedSandbox(), await newFolder('cancelled')];
  onTestFinished(() => sandbox.close());
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { DATA_DIR: folder, DOMAIN_API_URL: sandbox.url };
  const one = await openApprovalShop({ env });
  const other = await openApprovalShop({ env, time: one.time });
  const names = ['first', 'second', 'third', 'fourth'];
  for (const [at, name] of names.entries()) {
    const { id, approval } = (await one.register({ domain: `${name}-to-decide.com` })).purchase;
    const [approve, cancel] = [() => other.approve(approval.id), () => one.cancel({ id })];
    const calls = at % 2 === 0 ? [approve(), cancel()] : [cancel(), approve()];
    const codes = (await Promise.all(calls)).map(codesOf);
    expect(codes.toSorted()).toEqual([[], ['INVALID_INPUT']]);
    await one.settle();

    const { state, approval: ended } = await one.purchase(id);
    expect(['SUCCEEDED GRANTED', 'FAILED CANCELLED']).toContain(`${state} ${ended.state}`);
  }
  const { purchases } = await one.ask(
    'buyer',
    '{ purchases(filter: { states: [SUCCEEDED] }) { totalCount } }',
  );
  expect(sandbox.count('registerdomain')).toBe(purchases.totalCount);
});

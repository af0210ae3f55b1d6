import { describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { minuteMs, secondMs } from '../../../../test/support/simulated-clock.ts';
import type { AccessScope } from '../../../kernel/caller.ts';
import { codesOf, openApprovalShop } from './approval-shop.ts';

const scopes: readonly AccessScope[] = [
  ...(['domains:unlock', 'authcode:read', 'contacts:read', 'domains:read'] as const),
  ...(['domains:spend', 'domains:write', 'events:read'] as const),
];
const API_KEYS = apiKeysOf(
  { buyer: scopes, twin: scopes, bob: scopes, decider: ['approvals:decide', 'audit:read'] },
  { bob: 'bob-ltd' },
);
const domain = 'expiring-demo.com';

async function open(...operations: readonly string[]) {
  const opened = await openApprovalShop({
    rules: [{ operations, expiresAfter: '5m' }],
    env: { API_KEYS },
  });
  const { gateway } = opened.shop;
  return {
    ...opened,
    gateway,
    /** The calls since the last look. */
    async calls() {
      const calls = await gateway.countCalls();
      await gateway.resetCalls();
      return calls;
    },
    async locked(): Promise<boolean> {
      const [row] = (await gateway.admin('GET', `/domain?name=${domain}`)) as { locked: boolean }[];
      return row?.locked ?? false;
    },
    async unlock(name: 'buyer' | 'twin' | 'bob' = 'buyer', subject = domain) {
      const { data } = await opened.send(
        name,
        `mutation ($input: DomainInput!) { disableTransferLock(input: $input) { transferLocked
          errors { __typename code executed retryable path
            ... on ApprovalRequired { approval { id state operation subject { ... on DomainRead { domainName } } caller count price { amount } } } } } }`,
        { input: { domain: subject } },
      );
      return data.disableTransferLock;
    },
    read: (fields = 'authCode') =>
      gateway.query(`{ domain(name: "${domain}") { ${fields} } }`, {}, by('buyer')),
  };
}

describe('the transfer lock', () => {
  test('is removed once, by the same request after the approval', async () => {
    const { unlock, locked, approve, calls, approvals } = await open('UNLOCK');

    const asked = await unlock();
    expect(asked).toEqual({
      transferLocked: null,
      errors: [
        {
          ...{ __typename: 'ApprovalRequired', code: 'APPROVAL_REQUIRED', path: null },
          ...{ executed: 'NO', retryable: true },
          approval: {
            ...{ id: expect.any(String), state: 'REQUESTED', operation: 'UNLOCK' },
            ...{ subject: { domainName: domain }, caller: 'buyer', count: 1, price: null },
          },
        },
      ],
    });
    // It reads whether the account has the domain, and sends nothing else.
    expect(await calls()).toEqual({ getdetails: 1 });
    const [{ approval }] = asked.errors;
    expect((await unlock()).errors[0].approval.id).toBe(approval.id);
    expect(await calls()).toEqual({});

    expect(codesOf(await approve(approval.id))).toEqual([]);
    expect(await locked()).toBe(true);
    expect(await unlock()).toEqual({ transferLocked: false, errors: [] });
    expect(await calls()).toEqual({ disabletheftlock: 1 });
    expect(await approvals('decider')).toMatchObject([{ id: approval.id, state: 'USED' }]);

    // Another time needs another approval.
    const [another] = (await unlock()).errors;
    expect(another).toMatchObject({ code: 'APPROVAL_REQUIRED', approval: { state: 'REQUESTED' } });
    expect(another.approval.id).not.toBe(approval.id);
  });

  test('of several domains is removed by one document after their approvals, also with a rule for bulk changes', async () => {
    const { unlock, approve, send, calls } = await open('UNLOCK', 'BULK_CHANGE');
    const names = [domain, 'reseller-demo.com'];
    for (const name of names) {
      const [error] = (await unlock('buyer', name)).errors;
      expect(codesOf(await approve(error.approval.id))).toEqual([]);
    }
    await calls();

    const { data } = await send(
      'buyer',
      `mutation { ${names
        .map(
          (name, at) =>
            `of${at}: disableTransferLock(input: { domain: "${name}" }) { errors { code } }`,
        )
        .join(' ')} }`,
    );

    expect(data).toEqual({ of0: { errors: [] }, of1: { errors: [] } });
    expect(await calls()).toEqual({ disabletheftlock: 2 });
  });

  test('is removed once when the request is sent twice at the same time', async () => {
    const { unlock, approve, calls } = await open('UNLOCK');
    const asked = await unlock();
    await approve(asked.errors[0].approval.id);
    await calls();

    const both = await Promise.all([unlock(), unlock()]);

    expect(both.flatMap(codesOf)).toEqual(['APPROVAL_REQUIRED']);
    expect((await calls()).disabletheftlock).toBe(1);
  });

  test('has one approval for equal requests at the same time', async () => {
    const { unlock, approvals, gateway } = await open('UNLOCK');
    const all = await Promise.all([unlock(), unlock(), unlock('twin'), unlock(), unlock('twin')]);
    const ids = all.map(({ errors }) => errors[0].approval.id);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[3]).toBe(ids[0]);
    expect(ids[4]).toBe(ids[2]);
    expect((await approvals('decider')).map(({ id }) => id).toSorted()).toEqual(
      [ids[0], ids[2]].toSorted(),
    );
    expect((await gateway.countCalls()).disabletheftlock).toBeUndefined();
  });

  test('of another domain, or by another key, needs an approval of its own', async () => {
    const { unlock, approve, locked } = await open('UNLOCK');
    const [{ approval }] = (await unlock()).errors;
    await approve(approval.id);

    const [ofOther] = (await unlock('buyer', 'reseller-demo.com')).errors;
    const [byOther] = (await unlock('twin')).errors;

    expect(ofOther).toMatchObject({
      approval: { state: 'REQUESTED', subject: { domainName: 'reseller-demo.com' } },
    });
    expect(byOther).toMatchObject({ approval: { state: 'REQUESTED', caller: 'twin' } });
    expect(await locked()).toBe(true);
  });

  test('is not removed after a rejection, nor when the approval has expired', async () => {
    const { unlock, approve, reject, time, calls } = await open('UNLOCK');
    const [first] = (await unlock()).errors;
    expect(codesOf(await reject(first.approval.id, 'No.'))).toEqual([]);
    const [second] = (await unlock()).errors;
    expect(second.approval.id).not.toBe(first.approval.id);
    await approve(second.approval.id);

    time.suspend(5 * minuteMs);
    await time.pass(secondMs);

    expect(codesOf(await unlock())).toEqual(['APPROVAL_REQUIRED']);
    expect((await calls()).disabletheftlock).toBeUndefined();
  });

  test('of a domain that the account, or the customer, does not have is NOT_FOUND without an approval', async () => {
    const { unlock, approvals, calls } = await open('UNLOCK');

    expect(codesOf(await unlock('buyer', 'others-locked-demo.com'))).toEqual(['NOT_FOUND']);
    expect(await calls()).toEqual({ getdetails: 1 });
    expect(codesOf(await unlock('bob'))).toEqual(['NOT_FOUND']);
    expect(await calls()).toEqual({});
    expect(codesOf(await unlock('buyer', 'no domain'))).toEqual(['INVALID_INPUT']);
    expect(await approvals('decider')).toEqual([]);
  });

  test('is not removed by a bulk change without an approval', async () => {
    const { gateway, approve, approvals, locked, calls, settle } = await open('UNLOCK');
    const { data } = await gateway.query(
      `mutation ($input: ChangeDomainsInput!) { changeDomains(input: $input) {
        bulkChange { id state approval { id operation count } } errors { code } } }`,
      {
        input: {
          ...{ names: [domain], expectedCount: 1, idempotencyKey: 'a-change' },
          change: { unlock: true },
        },
      },
      by('buyer'),
    );
    const { bulkChange, errors } = data.changeDomains;
    expect(errors).toEqual([]);
    expect(bulkChange).toMatchObject({
      state: 'AWAITING_APPROVAL',
      approval: { operation: 'UNLOCK', count: 1 },
    });
    await settle();
    expect(await locked()).toBe(true);
    expect((await calls()).disabletheftlock).toBeUndefined();

    expect(codesOf(await approve(bulkChange.approval.id))).toEqual([]);
    await settle();
    expect(await locked()).toBe(false);
    expect((await calls()).disabletheftlock).toBe(1);
    expect(await approvals('decider')).toMatchObject([{ state: 'GRANTED' }]);
  });

  test('needs no approval when no rule is about it', async () => {
    const { unlock, calls } = await open('AUTH_CODE');

    expect(await unlock()).toEqual({ transferLocked: false, errors: [] });
    expect(await calls()).toEqual({ disabletheftlock: 1 });
  });
});

describe('an auth code', () => {
  const authCodes = 'a: authCode authCode contacts { registrant { authCode email } }';

  test('is read by one request after the approval, and is in no response before', async () => {
    const { read, approve, approvals, shop, time } = await open('AUTH_CODE');

    const asked = await read();
    expect(asked.data.domain).toEqual({ authCode: null });
    expect(asked.errors).toMatchObject([
      {
        path: ['domain', 'authCode'],
        extensions: { code: 'APPROVAL_REQUIRED', executed: 'NO', approvalId: expect.any(String) },
      },
    ]);
    const { approvalId } = asked.errors[0].extensions;
    expect((await read()).errors[0].extensions.approvalId).toBe(approvalId);
    expect(await approvals('buyer')).toMatchObject([
      {
        id: approvalId,
        operation: 'AUTH_CODE',
        subject: { domainName: domain },
        state: 'REQUESTED',
      },
    ]);

    expect(codesOf(await approve(approvalId))).toEqual([]);
    const code = await read();
    expect(code.errors).toBeUndefined();
    expect(code.data.domain.authCode).toMatch(/\S{6}/);
    expect((await read()).errors[0].extensions.code).toBe('APPROVAL_REQUIRED');

    await time.pass(secondMs);
    const { data } = await shop.gateway.query(
      '{ auditLog(first: 20) { nodes { operation outcome } } }',
      {},
      by('decider'),
    );
    const reads = data.auditLog.nodes.filter(
      ({ operation }: { operation: string }) => operation === 'authcode.read',
    );
    expect(reads.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...['APPROVAL_REQUIRED', 'OK', 'APPROVAL_REQUIRED', 'APPROVAL_REQUIRED'],
    ]);
  });

  test('is selected several times by one request, also as that of a contact', async () => {
    const { read, approve, approvals } = await open('AUTH_CODE');
    const { errors, data } = await read(authCodes);
    expect(data.domain).toMatchObject({
      ...{ a: null, authCode: null },
      contacts: { registrant: { authCode: null, email: expect.any(String) } },
    });
    const ids = new Set(
      errors.map(({ extensions }: { extensions: { approvalId: string } }) => extensions.approvalId),
    );
    expect([errors.length, ids.size]).toEqual([3, 1]);

    await approve([...ids][0] as string);
    const found = await read(authCodes);

    expect(found.errors).toBeUndefined();
    expect(found.data.domain.a).toBe(found.data.domain.authCode);
    expect(await approvals('decider')).toMatchObject([{ state: 'USED' }]);
  });

  test('of a list needs an approval for each domain', async () => {
    const { gateway, approvals } = await open('AUTH_CODE');
    const { data, errors } = await gateway.query(
      '{ domains(first: 3) { nodes { name authCode } } }',
      {},
      by('buyer'),
    );

    const names = data.domains.nodes.map(({ name }: { name: string }) => name);
    expect(data.domains.nodes.every(({ authCode }: { authCode: null }) => authCode === null)).toBe(
      true,
    );
    expect(errors).toHaveLength(3);
    expect((await approvals('decider')).map(({ subject }) => subject.domainName).sort()).toEqual(
      names.sort(),
    );
  });
});

import { describe, expect, test } from 'vitest';
import {
  createSimulatedClock,
  minuteMs,
  withinTurns,
} from '../../../test/support/simulated-clock.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { openGate } from '../mutation/gate.ts';
import { createNameServerService } from '../name-server/service.ts';
import { createProtectionService } from '../protection/service.ts';
import { createSyncService } from '../sync/service.ts';
import type { WriteDeps } from './write.ts';

const domain = parseDomainName('example.com');
const lost = new Fault('UPSTREAM_TIMEOUT');
const unreadable = new Fault('UPSTREAM_PROTOCOL', { executed: 'NO' });

type Details = Partial<DomainDetails> | Error | null;

interface Registrar {
  /** The replies to the writes, in their order. */
  readonly replies: readonly unknown[];
  /** The domain in each read that verifies a write; the last one in all later reads. */
  readonly verified?: readonly Details[];
  /** The domain in the other reads. */
  readonly details?: Details;
  readonly budget?: CallBudget;
}

function start({ replies, verified = [], details = null, budget = new CallBudget(9) }: Registrar) {
  const time = createSimulatedClock();
  const calls: [action: string, ...unknown[]][] = [];
  const invalidated: string[] = [];
  const recorded: unknown[] = [];
  const [toReply, toVerify] = [[...replies], [...verified]];
  const write = (action: string) => async (request: object, options: CallOptions) => {
    calls.push([action, request, options]);
    const reply = toReply.shift();
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const read = async (action: string, found: Details | undefined) => {
    calls.push([action]);
    if (found instanceof Error) throw found;
    return found && { status: 'Active', ...found };
  };
  const deps = {
    ...{ clock: time.clock, writeDeadlineMs: 9_000, budget, options: { requestId: 'one' } },
    invalidate: (name: string) => void invalidated.push(name),
    gate: openGate,
    recordWrite(name: string, change: object) {
      const write: unknown[] = [name, change, calls.length];
      recorded.push(write);
      return {
        executed: (value: string | null) => void write.push(value),
        notExecuted: () => void recorded.splice(recorded.indexOf(write), 1),
      };
    },
    domains: {
      verify: () => read('verify', toVerify.length > 1 ? toVerify.shift() : toVerify[0]),
      load: () => read('load', details),
    },
    api: Object.fromEntries(
      [
        ...['modifynameserver', 'addchildnameserver', 'disabletheftlock', 'modifyprivacystatus'],
        'syncfromregistry',
      ].map((action) => [action, write(action)]),
    ),
  } as unknown as WriteDeps;
  const ended = async <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => undefined);
    await time.pass(minuteMs);
    return withinTurns(work);
  };
  return { deps, calls, invalidated, recorded, ended };
}

const input = { domain: 'EXAMPLE.com' };
const nameServers = ['ns1.a.net', 'ns2.a.net'];
const child = { ...input, nameServer: 'ns1.example.com', ipAddress: '8.8.8.8' };
const host = { host: 'ns1.example.com', addresses: ['8.8.8.8'] };

interface Write {
  readonly send: (deps: WriteDeps) => Promise<{ readonly errors: readonly Fault[] }>;
  readonly field: string;
  readonly action: string;
  readonly request: object;
  /** The value that was to be set, a reply with another one, and a reply without any. */
  readonly value: unknown;
  readonly other: unknown;
  readonly reply: unknown;
  readonly silent: unknown;
  /** The details of the domain with the value and without it. */
  readonly set: Partial<DomainDetails>;
  readonly unset: Partial<DomainDetails>;
  /** The record of the write, because the write can cause an event. */
  readonly recorded?: object;
}

const writes: Record<string, Write> = {
  'the name servers': {
    send: (deps) => createNameServerService(deps).set({ ...input, nameServers }),
    ...{ field: 'nameServers', action: 'modifynameserver' },
    request: { domain, nameservers: { ns1: 'ns1.a.net', ns2: 'ns2.a.net' } },
    ...{ value: nameServers, other: ['ns9.a.net'], reply: ['ns9.a.net'], silent: null },
    ...{ set: { nameServers: nameServers.toReversed() }, unset: { nameServers: ['ns9.a.net'] } },
    recorded: { field: 'nameServers', value: 'ns1.a.net ns2.a.net' },
  },
  'a child name server': {
    send: (deps) => createNameServerService(deps).addChild(child),
    ...{ field: 'childNameServer', action: 'addchildnameserver' },
    request: { ...child, domain },
    value: host,
    other: { host: 'ns1.example.com', addresses: ['9.9.9.9'] },
    reply: { host: 'ns1.example.com', addresses: ['9.9.9.9'] },
    silent: { host: null, addresses: [] },
    ...{ set: { childNameServers: [host] } },
    unset: { childNameServers: [{ ...host, host: 'ns2.example.com' }] },
  },
  'the transfer lock': {
    send: (deps) =>
      createProtectionService(deps).disableTransferLock(input, { require: async () => {} }),
    ...{ field: 'transferLocked', action: 'disabletheftlock', request: { domain } },
    ...{ value: false, other: true, reply: { locked: true }, silent: { locked: null } },
    ...{ set: { transferLocked: false }, unset: { transferLocked: true } },
    recorded: { field: 'transferLocked', value: 'false' },
  },
  'the privacy protection': {
    send: (deps) => createProtectionService(deps).setPrivacy({ ...input, privacyProtected: true }),
    ...{ field: 'privacyProtected', action: 'modifyprivacystatus' },
    request: { domain, status: true },
    ...{ value: true, other: false, reply: { enabled: false }, silent: { enabled: null } },
    ...{ set: { privacyProtected: true }, unset: { privacyProtected: false } },
    recorded: { field: 'privacyProtected', value: 'true' },
  },
};

describe.each(Object.entries(writes))('a write of %s', (_what, write) => {
  const { field, action, value, other } = write;
  const run = async (registrar: Registrar) => {
    const { deps, calls, invalidated, ended } = start(registrar);
    const payload = await ended(write.send(deps));
    return { payload, calls, invalidated };
  };
  const actions = (calls: readonly [string, ...unknown[]][]) => calls.map(([action]) => action);

  test('is one call, and invalidates the domain', async () => {
    const { calls, invalidated } = await run({ replies: [write.reply] });

    expect(calls).toEqual([[action, write.request, { requestId: 'one', withinMs: 9_000 }]]);
    expect(invalidated).toEqual([domain]);
  });

  test('has the value that the registrar reports, or that which was sent', async () => {
    expect((await run({ replies: [write.reply] })).payload).toEqual({
      ...{ domain, errors: [], [field]: other },
    });
    expect((await run({ replies: [write.silent] })).payload).toEqual({
      ...{ domain, errors: [], [field]: value },
    });
  });

  test('is found by a read after a lost reply', async () => {
    const { payload, calls } = await run({ replies: [lost], verified: [write.set] });

    expect(payload.errors).toEqual([]);
    expect(actions(calls)).toEqual([action, 'verify']);
  });

  test('is sent again after a lost reply when the read does not show it', async () => {
    const { payload, calls, invalidated } = await run({
      ...{ replies: [lost, write.silent], verified: [write.unset] },
    });

    expect(payload).toEqual({ domain, errors: [], [field]: value });
    expect(actions(calls)).toEqual([action, 'verify', action]);
    expect(invalidated).toEqual([domain, domain]);
  });

  test.each<[string, Details, string]>([
    ['whose field cannot be read', 'field' as never, 'OUTCOME_UNKNOWN'],
    ['that fails', unreadable, 'OUTCOME_UNKNOWN'],
    ['that fails with a bug', new TypeError('a bug'), 'OUTCOME_UNKNOWN'],
    ['that finds no domain', null, 'NOT_FOUND'],
  ])('is not sent again after a lost reply and a read %s', async (_what, details, code) => {
    const [detailsField] = Object.keys(write.set);
    const verified =
      (details as unknown) === 'field' ? { [detailsField ?? '']: unreadable } : details;
    const { payload, calls } = await run({ replies: [lost], verified: [verified] });

    expect(payload.errors).toMatchObject([{ code }]);
    expect(actions(calls)).toEqual([action, 'verify']);
  });

  test('that sets a watched field is recorded before it is sent, also after an unknown outcome, and then with the value that is set', async () => {
    const expected = (...values: readonly unknown[]) =>
      write.recorded ? [[domain, write.recorded, 0, ...values]] : [];
    const text = (one: unknown) => [one].flat().join(' ');
    const recordedBy = async (registrar: Registrar) => {
      const { deps, recorded, ended } = start(registrar);
      await ended(write.send(deps));
      return recorded;
    };

    expect(await recordedBy({ replies: [write.silent] })).toEqual(expected(text(value)));
    expect(await recordedBy({ replies: [write.reply] })).toEqual(expected(text(other)));
    expect(await recordedBy({ replies: [lost, lost], verified: [unreadable] })).toEqual(expected());
    const shown = Object.values(write.set)[0];
    expect(await recordedBy({ replies: [lost], verified: [write.set] })).toEqual(
      expected(text(shown)),
    );
    expect(await recordedBy({ replies: [new Fault('NOT_OWNED')] })).toEqual([]);
  });

  test('names the domain of a refusal', async () => {
    const { payload } = await run({ replies: [new Fault('NOT_OWNED')] });

    expect(payload).toMatchObject({
      errors: [{ code: 'NOT_OWNED', inputPath: ['input', 'domain'] }],
    });
    expect(payload).not.toHaveProperty(field);
  });

  const locked = new Fault('LOCKED', { facts: { minimum: 1 } });

  test('that is refused for the status of the domain names that status', async () => {
    const { payload, calls } = await run({ replies: [locked], details: { status: 'Deleted' } });

    expect(payload.errors).toMatchObject([
      { code: 'LOCKED', facts: { minimum: 1, status: 'Deleted' }, inputPath: ['input', 'domain'] },
    ]);
    expect(actions(calls)).toEqual([action, 'load']);
  });

  test.each<[string, Details, CallBudget]>([
    ['when it is active', { status: 'Active' }, new CallBudget(9)],
    ['when it is ok', { status: 'OK' }, new CallBudget(9)],
    ['when it cannot be read', { status: unreadable }, new CallBudget(9)],
    ['when the domain cannot be read', unreadable, new CallBudget(9)],
    ['when the account has no such domain', null, new CallBudget(9)],
    ['without a spare call', { status: 'Deleted' }, new CallBudget(0)],
  ])('that is refused does not name the status %s', async (_what, details, budget) => {
    const { payload } = await run({ replies: [locked], details, budget });

    expect(payload.errors).toMatchObject([{ code: 'LOCKED', facts: { minimum: 1 } }]);
    expect(payload.errors[0]?.facts).not.toHaveProperty('status');
  });

  test('passes a bug on', async () => {
    const { deps, ended } = start({ replies: [new TypeError('a bug')] });

    await expect(ended(write.send(deps))).rejects.toThrow('a bug');
  });
});

test('a reason of a privacy change is sent, unless it is empty', async () => {
  const { deps, calls, ended } = start({ replies: [{ enabled: null }, { enabled: null }] });
  const service = createProtectionService(deps);
  await ended(service.setPrivacy({ ...input, privacyProtected: false, reason: 'A wish.' }));
  const second = await ended(service.setPrivacy({ ...input, privacyProtected: false, reason: '' }));

  expect(calls.map(([, request]) => request)).toEqual([
    { domain, status: false, reason: 'A wish.' },
    { domain, status: false },
  ]);
  expect(second).toMatchObject({ privacyProtected: false });
});

describe('a child name server that exists', () => {
  const exists = new Fault('ALREADY_EXISTS');
  const add = async (registrar: Registrar) => {
    const { deps, calls, ended } = start(registrar);
    return { payload: await ended(createNameServerService(deps).addChild(child)), calls };
  };
  const listed = (addresses: readonly string[]) => ({
    childNameServers: [
      { host: 'other.example.com', addresses: ['8.8.8.8'] },
      { ...host, addresses },
    ],
  });

  test('is a success with this address', async () => {
    const { payload } = await add({
      replies: [exists],
      verified: [listed(['1.1.1.1', '8.8.8.8'])],
    });

    expect(payload).toEqual({
      ...{ domain, errors: [], childNameServer: { ...host, addresses: ['1.1.1.1', '8.8.8.8'] } },
    });
  });

  test.each<[string, Registrar]>([
    ['after the refusal', { replies: [exists], verified: [listed(['1.1.1.1'])] }],
    ['after a lost reply', { replies: [lost], verified: [listed(['1.1.1.1', 'no address'])] }],
  ])('is refused with another address, %s', async (_what, registrar) => {
    const { payload, calls } = await add(registrar);

    expect(payload.errors).toMatchObject([
      { code: 'ALREADY_EXISTS', inputPath: ['input', 'ipAddress'] },
    ]);
    expect(payload.errors[0]?.message).toContain('1.1.1.1;');
    expect(calls.filter(([action]) => action === 'addchildnameserver')).toHaveLength(1);
  });

  test.each<[string, Details]>([
    ['the read fails', unreadable],
    ['the read finds no domain', null],
    ['the host is not listed', { childNameServers: [] }],
    ['the list cannot be read', { childNameServers: unreadable }],
    ['its address cannot be read', listed(['no address'])],
  ])('is the refusal of the registrar when %s', async (_what, details) => {
    const { payload } = await add({ replies: [exists], verified: [details] });

    expect(payload.errors).toMatchObject([
      { code: 'ALREADY_EXISTS', inputPath: ['input', 'nameServer'] },
    ]);
  });

  test('has an unknown outcome after a lost reply when its address cannot be read', async () => {
    const { payload } = await add({ replies: [lost], verified: [listed([])] });

    expect(payload.errors).toMatchObject([{ code: 'OUTCOME_UNKNOWN' }]);
  });
});

test('every fault of a child name server is reported', async () => {
  const { deps, calls } = start({ replies: [] });
  const service = createNameServerService(deps);
  const paths = async (changes: Partial<typeof child>) =>
    (await service.addChild({ ...child, ...changes })).errors.map(({ inputPath }) => inputPath[1]);

  expect(await paths({ domain: 'a b', nameServer: 'c d', ipAddress: 'e' })).toEqual([
    ...['domain', 'nameServer', 'ipAddress'],
  ]);
  expect(await paths({ domain: 'a b' })).toEqual(['domain']);
  expect(await paths({ nameServer: 'ns1.other.com' })).toEqual(['nameServer']);
  expect(await paths({ ipAddress: '10.0.0.1' })).toEqual(['ipAddress']);
  expect(calls).toEqual([]);
});

test('every fault of a set of name servers is reported', async () => {
  const { deps, calls } = start({ replies: [] });
  const set = (changes: object) =>
    createNameServerService(deps).set({ ...input, nameServers, ...changes });

  expect((await set({ domain: 'a b', nameServers: [] })).errors).toHaveLength(2);
  expect((await set({ nameServers: [] })).errors).toHaveLength(1);
  expect((await set({ domain: 'a b' })).errors).toHaveLength(1);
  expect(calls).toEqual([]);
});

describe('a sync', () => {
  const registry = { name: domain, status: 'ok', transferLocked: true };

  test('whose outcome is unknown is sent once, and invalidates the domain', async () => {
    const { deps, calls, invalidated, recorded } = start({ replies: [lost] });
    const payload = await createSyncService(deps).sync(input, false);

    expect(recorded).toEqual([[domain, { field: 'sync', value: null }, 0]]);

    expect(payload).toMatchObject({ errors: [{ code: 'OUTCOME_UNKNOWN', retryable: true }] });
    expect(calls).toEqual([['syncfromregistry', { domain }, { requestId: 'one' }]]);
    expect(invalidated).toEqual([domain]);
  });

  test.each([
    [domain, 'registry'],
    [null, 'OUTCOME_UNKNOWN'],
    ['other.com', 'OUTCOME_UNKNOWN'],
  ])('with a reply about %s has the result %s', async (name, expected) => {
    const { deps } = start({ replies: [{ ...registry, name }] });
    const payload = await createSyncService(deps).sync(input, false);

    expect(payload.errors[0]?.code ?? 'registry').toBe(expected);
  });

  test('of a domain that the account does not have is not sent when it is read before', async () => {
    const { deps, calls } = start({ replies: [registry], verified: [null] });
    const payload = await createSyncService(deps).sync(input, true);

    expect(payload.errors).toMatchObject([{ code: 'NOT_FOUND', inputPath: ['input', 'domain'] }]);
    expect(calls).toEqual([['verify']]);
  });

  test('reads the domain before it only for its changes', async () => {
    const { deps, calls } = start({ replies: [registry], details: {} });
    const payload = await createSyncService(deps).sync(input, false);

    expect(await payload.changes?.()).toBeNull();
    expect(calls).toHaveLength(1);
  });

  test('has the changes, or the failure of either read', async () => {
    const status = (one: string) => ({ status: one });
    const read = async (verified: Details, details: Details) => {
      const { deps } = start({ replies: [registry], verified: [verified], details });
      return (await createSyncService(deps).sync(input, true)).changes?.();
    };

    expect(await read(status('Active'), status('Locked'))).toEqual([
      {
        field: 'status',
        before: { text: 'Active', status: 'Active' },
        after: { text: 'Locked', status: 'Locked' },
      },
    ]);
    await expect(read(unreadable, status('Locked'))).rejects.toBe(unreadable);
    await expect(read(status('Active'), unreadable)).rejects.toBe(unreadable);
    await expect(read(status('Active'), null)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('has the drift, or the failure of the read', async () => {
    const read = async (details: Details) => {
      const { deps } = start({ replies: [registry], details });
      return (await createSyncService(deps).sync(input, false)).drift?.();
    };

    expect(await read({ transferLocked: false })).toEqual([
      {
        field: 'transferLocked',
        before: { text: 'false', transferLocked: false },
        after: { text: 'true', transferLocked: true },
      },
    ]);
    await expect(read(unreadable)).rejects.toBe(unreadable);
    await expect(read(null)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

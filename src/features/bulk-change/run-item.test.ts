import { describe, expect, test } from 'vitest';
import { noJobRecorder } from '../../../test/support/no-recorder.ts';
import { createSimulatedClock, minuteMs } from '../../../test/support/simulated-clock.ts';
import type { AccessScope, Caller } from '../../kernel/caller.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { createDomainReads, type DomainLists } from '../../modules/domain/loader.ts';
import { unrecorded } from '../../modules/domain/write.ts';
import type { TakenItem } from '../../persistence/job-record.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { ChangeFacts, DomainChange } from './change.ts';
import { createChangeRunner } from './run-item.ts';

const wanted = ['ns1.new.net', 'ns2.new.net'];
const setHosts: DomainChange = { setNameServers: wanted };
const set = { nameServers: wanted };
const old = { nameServers: ['ns1.old.net'] };
const unreadable = new Fault('UPSTREAM_PROTOCOL', { executed: 'NO' });
const locked = new Fault('LOCKED');
const unavailable = new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });

/** A change reads its domain alone. */
const noLists = {} as DomainLists;

interface Registrar {
  readonly change?: DomainChange;
  readonly facts?: ChangeFacts;
  /** The reply to `getdetails`, and to the write. */
  readonly details: object | Error;
  /** From the third read on, when it differs. */
  readonly laterDetails?: object;
  readonly reply?: unknown;
  /** Whether another process took the item during the work. */
  readonly isLeaseLost?: boolean;
  /** Of the key now. Default: those of the job. */
  readonly scopes?: readonly AccessScope[];
}

function start({
  change = setHosts,
  facts = {},
  details,
  laterDetails = details,
  reply,
  isLeaseLost = false,
  scopes,
}: Registrar) {
  const { clock, pass } = createSimulatedClock();
  const calls: string[] = [];
  let stored = JSON.stringify(facts);
  const saved: ChangeFacts[] = [];
  const recorded: unknown[] = [];
  const operation = (name: string, result: unknown) => async () => {
    calls.push(name);
    if (result instanceof Error) throw result;
    return result;
  };
  const domainApi = {
    getdetails: () => {
      const isLater = calls.filter((one) => one === 'read').length >= 2;
      const read = isLater ? laterDetails : details;
      const reply = read instanceof Error ? read : { name: 'a.com', status: 'Active', ...read };
      return operation('read', reply)();
    },
    modifynameserver: operation('write', reply),
    modifyprivacystatus: operation('write', reply),
    disabletheftlock: operation('write', reply),
    syncfromregistry: operation('write', reply),
  } as unknown as DomainApi;
  const run = createChangeRunner({
    clock,
    writeDeadlineMs: 9_000,
    currentCaller: (before: Omit<Caller, 'tenant'>) => ({
      ...before,
      ...(scopes && { scopes: new Set(scopes) }),
    }),
    invalidate: () => undefined,
    recorderOf: noJobRecorder,
    openReads: (_customer: null, options: CallOptions) => ({
      api: domainApi,
      use: () => createDomainReads(domainApi, noLists, options),
    }),
    writeLog: {
      of: (caller: string | null) => (name: string, sent: object) => {
        recorded.push([caller, name, sent]);
        return unrecorded;
      },
    },
  } as unknown as Parameters<typeof createChangeRunner>[0]);
  const take = async () => {
    const item = {
      domain: 'a.com',
      facts: stored,
      job: { caller: 'shop', customer: null, options: JSON.stringify({ change }) },
    };
    const end = await run(item as unknown as TakenItem, async (text) => {
      if (isLeaseLost) return false;
      stored = text;
      saved.push(JSON.parse(text));
      return true;
    });
    return 'outcome' in end ? { outcome: end.outcome, ...JSON.parse(end.details) } : end;
  };
  return {
    take,
    calls,
    saved,
    recorded,
    pass: (ms: number) => pass(ms),
    facts: () => JSON.parse(stored),
  };
}

describe('the value before a change', () => {
  test('is stored before the change is sent', async () => {
    const { take, saved, calls, recorded } = start({ details: old, reply: wanted });

    expect(await take()).toEqual({ outcome: 'SUCCEEDED', before: old, after: set });
    expect(saved).toEqual([{ before: old }]);
    expect(calls).toEqual(['read', 'write']);
    const change = { field: 'nameServers', value: wanted.join(' ') };
    expect(recorded).toEqual([['shop', 'a.com', change]]);
  });

  test('is replaced when the domain has a third value now', async () => {
    const facts = { before: { nameServers: ['ns1.older.net'] } };
    const { take } = start({ facts, details: old, reply: wanted });

    expect(await take()).toMatchObject({ outcome: 'SUCCEEDED', before: old });
  });

  test('stays when the value cannot be read now, and is empty when it never could', async () => {
    for (const nameServers of [new Fault('UPSTREAM_PROTOCOL'), null]) {
      const again = start({ facts: { before: old }, details: { nameServers }, reply: wanted });
      const first = start({ details: { nameServers }, reply: wanted });

      expect(await again.take()).toMatchObject({ outcome: 'SUCCEEDED', before: old });
      expect(await first.take()).toMatchObject({ outcome: 'SUCCEEDED', before: {} });
    }
  });

  test('of a synchronisation stays, because the status may be that after it', async () => {
    const { take } = start({
      change: { sync: true },
      facts: { before: { status: 'Old' } },
      details: { status: 'New' },
      reply: { name: 'a.com', status: 'ok' },
    });

    expect(await take()).toEqual({
      outcome: 'SUCCEEDED',
      before: { status: 'Old' },
      after: { status: 'ok' },
    });
  });

  test('proves with the wanted value that an earlier process made the change', async () => {
    const { take, calls } = start({ facts: { before: old }, details: set });

    expect(await take()).toEqual({ outcome: 'SUCCEEDED', before: old, after: set });
    expect(calls).toEqual(['read']);
  });

  test('is not stored any more when the registrar refused the change', async () => {
    const { take, facts } = start({ details: old, reply: locked });

    expect(await take()).toMatchObject({
      outcome: 'FAILED',
      before: old,
      errors: [{ code: 'LOCKED', path: [] }],
    });
    expect(facts()).toEqual({});
  });
});

describe('a refusal with an unlisted code', () => {
  const upstream = { code: 'API_7777_ERROR', message: 'No.' };
  const reply = new Fault('UPSTREAM_REJECTED', { executed: 'UNKNOWN', upstream });
  const takeOnce = async (registrar: Omit<Registrar, 'reply'>) => {
    const run = start({ ...registrar, reply });
    const taken = run.take();
    await run.pass(5_249);
    const reads = run.calls.filter((one) => one === 'read').length;
    await run.pass(minuteMs);
    return { end: await taken, reads, calls: run.calls, facts: run.facts() };
  };

  test('is FAILED after a second read five seconds after the first', async () => {
    const { end, calls, reads, facts } = await takeOnce({ details: old });

    const error = { code: 'UPSTREAM_REJECTED', executed: 'NO', retryable: false, upstream };
    expect(end).toMatchObject({ outcome: 'FAILED', before: old, errors: [error] });
    // Before the change, after it, and the second one.
    expect([reads, calls]).toEqual([2, ['read', 'write', 'read', 'read']]);
    expect(facts).toEqual({});
  });

  test('is UNKNOWN when the second read does not show the value', async () => {
    const { end, calls, facts } = await takeOnce({ details: { nameServers: unreadable } });

    expect(end).toMatchObject({ outcome: 'UNKNOWN', errors: [{ executed: 'UNKNOWN', upstream }] });
    expect(calls.filter((one) => one === 'write')).toHaveLength(1);
    expect(facts).toEqual({ before: {} });
  });

  test('is UNKNOWN when the second read shows that another client has changed the domain', async () => {
    const laterDetails = { nameServers: ['ns1.other.net'] };
    const { end, calls, facts } = await takeOnce({ details: old, laterDetails });

    expect(end).toMatchObject({ outcome: 'UNKNOWN', errors: [{ executed: 'UNKNOWN', upstream }] });
    expect(calls.filter((one) => one === 'write')).toHaveLength(1);
    expect(facts).toEqual({ before: old });
  });

  test('of a synchronisation ends it without a read, which would not show it', async () => {
    const { end, calls } = await takeOnce({ change: { sync: true }, details: {} });

    expect(end).toMatchObject({ outcome: 'FAILED', errors: [{ executed: 'UNKNOWN', upstream }] });
    expect(calls).toEqual(['read', 'write']);
  });

  test('after an earlier call leaves the outcome unknown', async () => {
    const { end, calls } = await takeOnce({ facts: { before: old }, details: old });

    expect(end).toMatchObject({ outcome: 'UNKNOWN', errors: [{ upstream }] });
    expect(calls.filter((one) => one === 'write')).toHaveLength(1);
  });
});

describe('a domain that an earlier call may still change', () => {
  const facts = { before: old };

  test('is UNKNOWN when the registrar refuses the next call', async () => {
    const run = start({ facts, details: old, reply: locked });

    expect(await run.take()).toMatchObject({
      outcome: 'UNKNOWN',
      before: old,
      errors: [{ code: 'LOCKED', executed: 'UNKNOWN', path: [] }],
    });
    expect(run.facts()).toEqual(facts);
  });

  test('is UNKNOWN when the account no longer has it', async () => {
    const absent = new Fault('NOT_FOUND', { executed: 'NO' });
    const run = start({ facts, details: absent });

    expect(await run.take()).toMatchObject({
      outcome: 'UNKNOWN',
      before: old,
      errors: [{ code: 'NOT_FOUND', executed: 'UNKNOWN' }],
    });
    expect(run.calls).toEqual(['read']);
  });
});

describe('a change of one name server', () => {
  const change: DomainChange = {
    replaceNameServer: {
      from: parseDomainName('ns1.old.net'),
      to: parseDomainName('ns1.new.net'),
    },
  };
  const lone: DomainChange = { removeNameServer: parseDomainName('ns1.old.net') };

  test('is computed from the read, whatever an earlier call replaced', async () => {
    const facts = { before: { nameServers: ['ns1.old.net', 'ns2.older.net'] } };
    const details = { nameServers: ['ns1.old.net', 'ns2.old.net'] };
    const hosts = ['ns1.new.net', 'ns2.old.net'];
    const { take, recorded } = start({ change, facts, details, reply: hosts });

    expect(await take()).toEqual({
      outcome: 'SUCCEEDED',
      before: details,
      after: { nameServers: hosts },
    });
    expect(recorded).toMatchObject([['shop', 'a.com', { value: hosts.join(' ') }]]);
  });

  test('is not sent while the name servers are not readable', async () => {
    for (const nameServers of [unreadable, null]) {
      const first = start({ change, details: { nameServers } });
      const again = start({ change, facts: { before: old }, details: { nameServers } });

      expect(await first.take()).toMatchObject({
        outcome: 'FAILED',
        errors: [{ code: 'UPSTREAM_PROTOCOL' }],
      });
      expect(await again.take()).toMatchObject({ state: 'BEGUN', pauseMs: 5_000 });
      expect([...first.calls, ...again.calls]).toEqual(['read', 'read']);
    }
  });

  const [added, lost] = [parseDomainName('ns3.new.net'), new Fault('UPSTREAM_TIMEOUT')];
  const all: readonly DomainChange[] = [change, lone, { addNameServer: added }];
  test.each(all)('is sent once before the next read: %j', async (one) => {
    const details = { nameServers: ['ns1.old.net', 'ns2.old.net'] };
    const run = start({ change: one, details, reply: lost });
    const taken = run.take();
    await run.pass(minuteMs);

    expect(await taken).toMatchObject({ state: 'BEGUN' });
    expect(run.calls).toEqual(['read', 'write', 'read']);
    expect(run.facts().before).toEqual(details);
  });

  test.each(all)('has an error without the position of a host: %j', async (one) => {
    const upstream = { code: 'API_594_ERROR', message: 'No.' };
    const details = { nameServers: ['ns1.old.net', 'ns2.old.net'] };
    const { take } = start({ change: one, details, reply: new Fault('POLICY', { upstream }) });

    const path = ['input', 'change', ...Object.keys(one)];
    expect(await take()).toMatchObject({ outcome: 'FAILED', errors: [{ code: 'POLICY', path }] });
  });

  test('that would leave no name server is FAILED, and UNKNOWN when an earlier call may be executed', async () => {
    const first = start({ change: lone, details: old });
    const again = start({ change: lone, facts: { before: old }, details: old });

    const error = { code: 'NOT_ELIGIBLE', executed: 'NO', retryable: false };
    expect(await first.take()).toMatchObject({ outcome: 'FAILED', before: old, errors: [error] });
    expect(await again.take()).toMatchObject({
      outcome: 'UNKNOWN',
      errors: [{ ...error, executed: 'UNKNOWN' }],
    });
    expect([...first.calls, ...again.calls]).toEqual(['read', 'read']);
  });
});

test('the target of an item stays stored while its value before is stored and removed', async () => {
  const facts = { target: wanted };
  const { take, saved } = start({ change: { items: true }, facts, details: old, reply: locked });

  expect(await take()).toMatchObject({ outcome: 'FAILED', before: old });
  expect(saved).toEqual([{ target: wanted, before: old }, { target: wanted }]);
});

test('transfer locks are not removed for a key that has lost the scope domains:unlock', async () => {
  const change: DomainChange = { unlock: true };
  const details = { transferLocked: true };
  const refused = start({ change, details, scopes: ['domains:write'] });
  const allowed = start({ change, details, reply: { locked: false } });

  expect(await refused.take()).toMatchObject({
    outcome: 'FAILED',
    errors: [{ code: 'FORBIDDEN' }],
  });
  expect(await allowed.take()).toMatchObject({
    outcome: 'SUCCEEDED',
    after: { transferLocked: false },
  });
  expect([refused.calls, allowed.calls]).toEqual([[], ['read', 'write']]);
});

test('nothing is sent once another process works on the domain', async () => {
  const { take, calls } = start({ details: old, isLeaseLost: true });

  expect(await take()).toEqual({ state: 'BEGUN', pauseMs: 0, pausesAll: false });
  expect(calls).toEqual(['read']);
});

describe('a fault', () => {
  test('that cannot pass ends a domain for which nothing was sent', async () => {
    const { take } = start({ details: unreadable });

    expect(await take()).toMatchObject({
      outcome: 'FAILED',
      errors: [{ code: 'UPSTREAM_PROTOCOL' }],
    });
  });

  test('of the read does not end a domain that may have been changed', async () => {
    const { take } = start({ facts: { before: old }, details: unreadable });

    expect(await take()).toEqual({ state: 'BEGUN', pauseMs: 5_000, pausesAll: false });
  });

  test('that leaves the outcome unknown pauses its domain only', async () => {
    const { take, pass, facts } = start({
      details: old,
      reply: new Fault('UPSTREAM_TIMEOUT'),
    });
    const taken = take();
    await pass(minuteMs);

    expect(await taken).toEqual({ state: 'BEGUN', pauseMs: 5_000, pausesAll: false });
    expect(facts().before).toEqual(old);
  });

  test('pauses all domains for as long as the registrar requests', async () => {
    const busy = new Fault('RATE_LIMITED', { facts: { retryAfterMs: 1_234 } });
    const { take, facts } = start({ details: old, reply: busy });

    expect(await take()).toEqual({ state: 'WAITING', pauseMs: 1_234, pausesAll: true });
    expect(facts().before).toBeUndefined();
  });

  test('ends the domain after 15 minutes, and a retry begins a new time', async () => {
    const { take, pass, facts } = start({ details: unavailable });

    for (let minute = 0; minute <= 15; minute += 1) {
      expect(await take()).toMatchObject({ state: 'WAITING' });
      await pass(minuteMs);
    }
    expect(await take()).toMatchObject({ outcome: 'FAILED' });
    expect(facts()).toEqual({});
    expect(await take()).toMatchObject({ state: 'WAITING' });
  });

  test('long after the last one begins a new time', async () => {
    const { take, pass } = start({ details: unavailable });

    expect(await take()).toMatchObject({ state: 'WAITING' });
    await pass(16 * minuteMs);
    expect(await take()).toMatchObject({ state: 'WAITING' });
  });
});

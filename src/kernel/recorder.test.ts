import { expect, test } from 'vitest';
import {
  type RecordedOperation,
  type OperationLine,
  type OperationEnd,
  type OperationTrail,
  createRecorder,
} from './recorder.ts';
import { Fault } from './faults.ts';

const who = { caller: 'shop', tenant: 'acme', requestId: 'r1' };
const actor = { ...who, customer: 'north', address: '192.0.2.1' };
const unavailable = new Fault('JOURNAL_UNAVAILABLE');

/** Lines, and the steps at the stored operations. With `failure` nothing can be stored. */
function start(failure: Fault | null = null) {
  const lines: OperationLine[] = [];
  const steps: unknown[] = [];
  const store = (step: string, { operation }: RecordedOperation, end?: OperationEnd) => {
    if (failure) throw failure;
    steps.push(end ? [step, operation, end] : [step, operation]);
  };
  let calls = 1;
  const trail: OperationTrail = {
    begin: async (operation) => {
      store('begin', operation);
      return (end) => void steps.push(['end', operation.operation, end]);
    },
    add: async (operation, end) => store('add', operation, end),
    note: (operation, end) => void steps.push(['note', operation.operation, end]),
    noteRefused: (operation, end) => void steps.push(['refused', operation.operation, end]),
    noteLater: (operation, end) => void steps.push(['later', operation.operation, end]),
  };
  const sinks = { log: (line: OperationLine) => void lines.push(line), trail };
  const recorder = createRecorder(sinks, actor, () => calls);
  const send = async () => {
    steps.push('sent');
    calls += 2;
    return 'PENDING';
  };
  return { lines, steps, recorder, send };
}

const write = { operation: 'setNameServers', subject: 'a.com', input: { domain: 'a.com' } };
const asIs = (outcome: string) => outcome;

test('an entry of a write is stored before the write is sent, and its outcome with the calls that it made', async () => {
  const { lines, steps, recorder, send } = start();

  expect(await recorder.write(write, send, asIs)).toBe('PENDING');

  expect(steps).toEqual([
    ['begin', 'setNameServers'],
    'sent',
    ['end', 'setNameServers', { outcome: 'PENDING', upstreamCalls: 2 }],
  ]);
  expect(lines).toEqual([
    { ...who, operation: 'setNameServers', subject: 'a.com', outcome: 'PENDING' },
  ]);
});

test('a write whose entry cannot be stored is not sent', async () => {
  const { lines, steps, recorder, send } = start(unavailable);

  await expect(recorder.write(write, send, asIs)).rejects.toBe(unavailable);

  const end = { outcome: 'JOURNAL_UNAVAILABLE', upstreamCalls: 0 };
  expect(steps).toEqual([['note', 'setNameServers', end]]);
  expect(lines).toMatchObject([{ outcome: 'JOURNAL_UNAVAILABLE' }]);
});

test('a refused write has one entry, and a dry run only a line', async () => {
  const { lines, steps, recorder, send } = start();

  recorder.refusedWrite(write, 'FORBIDDEN', 3);
  await recorder.write({ ...write, isDryRun: true }, send, asIs);

  const end = { outcome: 'FORBIDDEN', upstreamCalls: 0, refusals: 3 };
  expect(steps).toEqual([['refused', 'setNameServers', end], 'sent']);
  expect(lines.map(({ outcome }) => outcome)).toEqual(['FORBIDDEN', 'PENDING']);
});

test('an entry of a read of secrets is stored before its value is returned', async () => {
  const { lines, steps, recorder } = start();

  expect(await recorder.read('authcode.read', 'a.com', () => 'the code')).toBe('the code');

  expect(steps).toEqual([['add', 'authcode.read', { outcome: 'OK', upstreamCalls: null }]]);
  expect(lines).toEqual([{ ...who, operation: 'authcode.read', subject: 'a.com', outcome: 'OK' }]);
});

test('a secret whose entry cannot be stored is not returned', async () => {
  const { recorder } = start(unavailable);

  await expect(recorder.read('authcode.read', 'a.com', () => 'the code')).rejects.toBe(unavailable);
});

test('of the refused reads of one kind in a request the first has an entry', () => {
  const { steps, recorder } = start();

  for (const name of ['a.com', 'b.com']) recorder.refused('contacts.read', name, 'FORBIDDEN');

  const end = { outcome: 'FORBIDDEN', upstreamCalls: null, refusals: 1 };
  expect(steps).toEqual([['refused', 'contacts.read', end]]);
});

test.each([
  [new Fault('NOT_FOUND'), 'NOT_FOUND'],
  [new TypeError('a bug'), 'INTERNAL'],
])('the record of an action that fails with %s has the outcome %s', async (error, outcome) => {
  const { lines, steps, recorder } = start();
  const fail = () => Promise.reject(error);

  await expect(recorder.read('contacts.read', 'a.com', fail)).rejects.toBe(error);
  await expect(recorder.logged('contacts.read', 'a.com', fail)).rejects.toBe(error);
  await expect(recorder.write(write, fail, asIs)).rejects.toBe(error);

  expect(lines).toMatchObject([{ outcome }, { outcome }, { outcome }]);
  expect(steps).toMatchObject([
    ['note', 'contacts.read', { outcome }],
    ['begin', 'setNameServers'],
    ['end', 'setNameServers', { outcome }],
  ]);
});

import { describe, expect, test } from 'vitest';
import {
  createSimulatedClock,
  minuteMs,
  withinTurns,
} from '../../../test/support/simulated-clock.ts';
import { Fault, type FieldResult } from '../../kernel/faults.ts';
import { sendIdempotent, sendOnce } from './send.ts';

const lost = new Fault('UPSTREAM_TIMEOUT');
const unsent = new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });
const refused = new Fault('NOT_ELIGIBLE');
const upstream = { code: 'API_1_ERROR', message: 'Later.' };
const unlisted = new Fault('UPSTREAM_REJECTED', { executed: 'UNKNOWN', upstream });

const deadlineMs = 9_000;

interface Write {
  /** The result of each call. */
  readonly replies: readonly (string | Error)[];
  /** The result of each verification. */
  readonly seen?: readonly FieldResult<string | null>[];
  /** The duration of each call. */
  readonly callMs?: number;
  readonly spare?: number;
}

/** Sends one write; returns its result and when each step began. */
async function send({ replies, seen = [], callMs = 0, spare = 9 }: Write) {
  const time = createSimulatedClock();
  const startMs = time.clock.monotonicMs();
  const steps: string[] = [];
  const step = (what: string) => steps.push(`${what} at ${time.clock.monotonicMs() - startMs}`);
  const [toSend, toSee] = [[...replies], [...seen]];
  let left = spare;
  const budget = { takeSpare: () => left > 0 && left-- > 0 };
  const result = sendIdempotent<string>(
    { clock: time.clock, writeDeadlineMs: deadlineMs, budget },
    {
      async send({ withinMs }) {
        step(`send within ${withinMs}`);
        await time.clock.wait(callMs);
        const reply = toSend.shift();
        if (typeof reply === 'string') return reply;
        throw reply;
      },
      async verify() {
        step('verify');
        const one = toSee.shift();
        return one === undefined ? null : one;
      },
      unknownMessage: (wasRead) => (wasRead ? 'It was read.' : 'It was not read.'),
    },
  ).catch((error: Error) => error);
  await time.pass(minuteMs);
  return { result: await withinTurns(result), steps, taken: spare - left };
}

const sent = `send within ${deadlineMs} at 0`;

describe('a write that may be repeated', () => {
  test.each<[string, Write, unknown, readonly string[]]>([
    ['succeeds with one call', { replies: ['done'] }, 'done', [sent]],
    ['fails with its refusal', { replies: [refused] }, refused, [sent]],
    [
      'is found after a lost reply',
      { replies: [lost], seen: ['found'] },
      'found',
      [sent, 'verify at 250'],
    ],
    [
      'is sent again after a lost reply when the read does not show it',
      { replies: [lost, 'done'], seen: [null] },
      'done',
      [sent, 'verify at 250', 'send within 8750 at 250'],
    ],
    [
      'is sent again without a read when it was not sent',
      { replies: [unsent, 'done'] },
      'done',
      [sent, 'send within 8750 at 250'],
    ],
    [
      'fails when it was not sent twice',
      { replies: [unsent, unsent] },
      unsent,
      [sent, 'send within 8750 at 250'],
    ],
    [
      'fails with a refusal with an unlisted code that the read confirms',
      { replies: [unlisted], seen: [null] },
      unlisted,
      [sent, 'verify at 250'],
    ],
    [
      'is found after such a refusal, which may be of a second copy',
      { replies: [unlisted], seen: ['found'] },
      'found',
      [sent, 'verify at 250'],
    ],
    [
      'is found after two lost replies',
      { replies: [lost, lost], seen: [null, 'found'] },
      'found',
      [sent, 'verify at 250', 'send within 8750 at 250', 'verify at 500'],
    ],
    [
      'is found after a call that was not sent and a lost reply',
      { replies: [unsent, lost], seen: ['found'] },
      'found',
      [sent, 'send within 8750 at 250', 'verify at 500'],
    ],
  ])('%s', async (_what, write, result, steps) => {
    expect(await send(write)).toMatchObject({ result, steps });
  });

  test('is read after a lost reply, also when the repeated call was refused', async () => {
    const { result, steps } = await send({ replies: [lost, refused], seen: [null, 'found'] });

    expect(result).toBe('found');
    expect(steps).toHaveLength(4);
  });

  test('is not sent again before Retry-After, and at once without one', async () => {
    const busy = lost.with({ facts: { retryAfterMs: 2_000 } });

    expect(await send({ replies: [busy, 'done'], seen: [null] })).toMatchObject({
      result: 'done',
      steps: [sent, 'verify at 250', 'send within 6750 at 2250'],
    });
  });

  test('fails with the Retry-After of a call that was not sent', async () => {
    const busy = unsent.with({ facts: { retryAfterMs: 2_000 } });

    expect(await send({ replies: [busy] })).toMatchObject({ result: busy, steps: [sent] });
  });

  test('fails when it was not sent for another reason than an unreachable upstream', async () => {
    const limited = new Fault('RATE_LIMITED', { executed: 'NO' });

    expect(await send({ replies: [limited] })).toMatchObject({ result: limited, steps: [sent] });
  });

  test('passes a bug on', async () => {
    const bug = new TypeError('a bug');

    const { result } = await send({ replies: [bug] });

    expect(result).toBe(bug);
  });

  test.each([
    // A third of the deadline must be left after the read.
    ['with more than a third of its time', deadlineMs * (2 / 3) - 251, 2],
    ['not with a third of it', deadlineMs * (2 / 3) - 250, 1],
  ])('is sent again %s left', async (_what, callMs, calls) => {
    const { steps } = await send({ replies: [lost, 'done'], seen: [null], callMs });

    expect(steps.filter((one) => one.startsWith('send'))).toHaveLength(calls);
  });

  test('is not sent again when Retry-After takes its time', async () => {
    const busy = lost.with({ facts: { retryAfterMs: 6_000 } });

    expect((await send({ replies: [busy], seen: [null] })).steps).toHaveLength(2);
  });

  test('takes a spare call for the read and for the second call', async () => {
    expect((await send({ replies: ['done'] })).taken).toBe(0);
    expect((await send({ replies: [lost], seen: ['found'] })).taken).toBe(1);
    expect((await send({ replies: [unsent, 'done'] })).taken).toBe(1);
    expect((await send({ replies: [lost, 'done'], seen: [null] })).taken).toBe(2);
  });
});

describe('the outcome is unknown', () => {
  const read = expect.stringContaining('It was read.');
  const unread = expect.stringContaining('It was not read.');

  test.each<[string, Write, unknown, number]>([
    ['after two lost replies', { replies: [lost, lost], seen: [null, null] }, read, 4],
    ['when the read fails', { replies: [lost], seen: [unsent] }, unread, 2],
    ['without a spare call for the read', { replies: [lost], spare: 0 }, unread, 1],
    ['without a spare call to repeat', { replies: [lost], seen: [null], spare: 1 }, read, 2],
    ['after a lost reply and a refusal', { replies: [lost, refused], seen: [null, null] }, read, 4],
    [
      'after a lost reply and a refusal with an unlisted code',
      { replies: [lost, unlisted], seen: [null, null] },
      read,
      4,
    ],
  ])('%s', async (_what, write, message, count) => {
    const { result, steps } = await send(write);

    expect(result).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: true, message });
    expect(steps).toHaveLength(count);
  });

  test('with the facts and the code of the registrar', async () => {
    const fault = lost.with({ facts: { retryAfterMs: 9_000 } });
    const failed = new Fault('UPSTREAM_UNAVAILABLE', { executed: 'UNKNOWN', upstream });

    expect((await send({ replies: [fault], seen: [null] })).result).toMatchObject({
      facts: { retryAfterMs: 9_000 },
      upstream: undefined,
    });
    expect((await send({ replies: [failed], seen: [unsent] })).result).toMatchObject({
      upstream,
    });
  });
});

describe('a write that is sent once', () => {
  const unknown = 'It is unknown.';
  const once = (error: unknown) =>
    sendOnce(unknown, () => Promise.reject(error)).catch((one: Error) => one);

  test('returns its result', async () => {
    expect(await sendOnce(unknown, async () => 'done')).toBe('done');
  });

  test.each([
    ['that was not executed', unsent],
    ['that is a bug', new TypeError('a bug')],
  ])('fails with a failure %s', async (_what, error) => {
    expect(await once(error)).toBe(error);
  });

  test.each(['UNKNOWN', 'YES'] as const)(
    'has an unknown outcome after a failure that may be executed: %s',
    async (executed) => {
      const result = await once(new Fault('UPSTREAM_REJECTED', { executed, upstream }));

      expect(result).toMatchObject({ code: 'OUTCOME_UNKNOWN', retryable: false, upstream });
      expect(await once(lost.with({}))).toMatchObject({ retryable: false });
    },
  );

  test('fails with a refusal with an unlisted code where that ends the write', async () => {
    const refusing = sendOnce(unknown, () => Promise.reject(unlisted), { endsRefused: true });

    await expect(refusing).rejects.toBe(unlisted);
  });
});

import { describe, expect, test } from 'vitest';
import { createSinks } from '../../test/support/sinks.ts';
import { createCallObserver } from './call-observer.ts';
import type { Tracing } from './tracing.ts';

const call = {
  ...{ api: 'domain', action: 'getdetails', attempt: 1 },
  effect: 'read',
} as const;

function start(changes: Partial<Parameters<typeof createCallObserver>[1]> = {}) {
  const { sinks, ...rest } = createSinks();
  return { observer: createCallObserver('one', { ...sinks, ...changes }), ...rest };
}

describe('the log line of an upstream call', () => {
  test('has its tenant, request, outcome, status and duration', () => {
    const { observer, advance, lines } = start();
    const { end } = observer.begin({ ...call, attempt: 2, batch: 3, requestId: 'request-1' });
    advance(12.6);
    end('UPSTREAM_UNAVAILABLE', 502, 'INVALID_RESPONSE');

    expect(lines()).toEqual([
      {
        ...{ level: 'info', msg: 'upstream call', requestId: 'request-1', tenant: 'one' },
        ...{ api: 'domain', action: 'getdetails', attempt: 2, batch: 3, durationMs: 13 },
        ...{ outcome: 'UPSTREAM_UNAVAILABLE', status: 502, upstreamCode: 'INVALID_RESPONSE' },
      },
    ]);
  });

  test('has no text that is not a code', () => {
    const { observer, lines } = start();
    observer.begin(call).end('UPSTREAM_REJECTED', 400, 'NO SUCH PERSON');

    expect(lines()[0]).not.toHaveProperty('upstreamCode');
  });

  test.each([
    ['read', 'OK', 'debug'],
    ['read', 'ABORTED', 'info'],
    ['write', 'OK', 'info'],
  ] as const)('of a %s with the outcome %s has the level %s', (effect, outcome, level) => {
    const { observer, lines } = start();
    observer.begin({ ...call, effect }).end(outcome);

    expect(lines()).toEqual([
      {
        ...{ level, msg: 'upstream call', tenant: 'one', api: 'domain', action: 'getdetails' },
        ...{ attempt: 1, durationMs: 0, outcome },
      },
    ]);
  });
});

describe('an outage', () => {
  const refused = {
    label: 'refused' as const,
    sentence: 'The endpoint refused the connection (X).',
  };
  /** Ends so many attempts of a read that find the upstream unavailable, a second after another. */
  const fail = (
    { observer, advance }: Pick<ReturnType<typeof start>, 'observer' | 'advance'>,
    attempts: number,
  ) => {
    for (let nth = 0; nth < attempts; nth += 1) {
      advance(1_000);
      observer.begin(call).end('UPSTREAM_UNAVAILABLE', undefined, undefined, refused);
    }
  };
  const about = { level: 'warn', tenant: 'one', api: 'domain' };

  test('is one warning with its reason when it begins and one when it ends, and its reads are no other lines', () => {
    const started = start();
    fail(started, 40);
    const { observer, lines } = started;
    observer.begin(call).end('OK', 200);

    const shown = lines().filter(({ level }) => level !== 'debug');
    expect(shown.slice(2)).toEqual([
      {
        ...{ ...about, msg: 'the upstream is unavailable', action: 'getdetails' },
        reason: refused.sentence,
      },
      expect.objectContaining({ level: 'info', reason: refused.sentence }),
      { ...about, msg: 'the upstream is available again', durationMs: 39_000, count: 40 },
    ]);
    expect(shown.slice(0, 2)).toEqual(
      Array(2).fill(expect.objectContaining({ level: 'info', reason: refused.sentence })),
    );
  });

  test('is no warning after two attempts that failed, and at another API', () => {
    const started = start();
    fail(started, 2);
    const { observer, lines } = started;
    observer.begin({ ...call, api: 'account' }).end('UPSTREAM_TIMEOUT', undefined, '', refused);
    observer.begin(call).end('UPSTREAM_REJECTED', 400);
    fail(started, 2);
    observer.begin(call).end('ABORTED');

    expect(lines().filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('shows every write', () => {
    const started = start();
    fail(started, 3);
    started.observer
      .begin({ ...call, effect: 'write' })
      .end('UPSTREAM_UNAVAILABLE', undefined, undefined, refused);

    expect(started.lines().at(-1)).toMatchObject({ level: 'info', msg: 'upstream call' });
  });

  test('is counted by its reason', async () => {
    const started = start();
    fail(started, 3);

    expect(await started.samples()).toMatchObject({
      'upstream_unavailable_total{tenant="one",api="domain",reason="refused"}': 3,
    });
  });
});

test('the opening of a circuit breaker is a warning', () => {
  const { observer, lines } = start();
  observer.breakerOpened('domain', 'getdetails');

  expect(lines()).toEqual([
    {
      ...{ level: 'warn', msg: 'the circuit breaker opened', tenant: 'one' },
      ...{ api: 'domain', action: 'getdetails' },
    },
  ]);
});

test('the metrics of upstream calls have their tenant, outcome, duration and batch', async () => {
  const { observer, advance, samples } = start();
  const { end } = observer.begin({ ...call, batch: 5 });

  expect(await samples()).toMatchObject({
    'upstream_calls_in_flight{api="domain"}': 1,
    upstream_batch_names_sum: 5,
  });
  advance(300);
  end('OK', 200, 'ANY_CODE');
  observer.begin({ ...call, api: 'account', action: 'login' }).end('ABORTED');

  const found = await samples();
  expect(found).toMatchObject({
    'upstream_calls_total{tenant="one",api="domain",action="getdetails",outcome="OK"}': 1,
    'upstream_calls_total{tenant="one",api="account",action="login",outcome="ABORTED"}': 1,
    'upstream_call_duration_seconds_sum{api="domain",action="getdetails"}': 0.3,
    upstream_batch_names_count: 1,
  });
  expect(Object.keys(found).filter((name) => name.includes('in_flight'))).toEqual([]);
});

test('a call has the trace headers of its span, and none without traces', () => {
  const ended: unknown[] = [];
  const tracing = {
    call: ({ action }: typeof call) => ({
      traceId: 'trace-1',
      headers: () => ({ traceparent: action }),
      end: (outcome: string, status?: number) => ended.push([outcome, status]),
    }),
  } as unknown as Tracing;
  const { observer, lines } = start({ tracing });
  const { headers, end } = observer.begin(call);
  end('OK', 200);

  expect([headers(), ended, lines()[0]?.traceId]).toEqual([
    { traceparent: 'getdetails' },
    [['OK', 200]],
    'trace-1',
  ]);
  expect(start({ metrics: null }).observer.begin(call).headers()).toEqual({});
});

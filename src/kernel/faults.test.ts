import { describe, expect, test } from 'vitest';
import { Fault, type FaultCode, faults, unwrap, valueOr } from './faults.ts';

const codes = Object.keys(faults) as FaultCode[];

describe('the table of faults', () => {
  test('is not empty', () => {
    expect(codes.length).toBeGreaterThan(30);
  });

  test.each(codes)('the message of %s is one sentence', { tags: ['G15'] }, (code) => {
    const { message } = faults[code];

    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(message.slice(0, -1)).not.toMatch(/[.!?](?:\s|$)/);
    expect(message.length).toBeLessThanOrEqual(120);
    expect(message).not.toMatch(/\s{2}|\n|—/);
  });

  test('every code is in capitals, and the categories are a closed list', { tags: ['G19'] }, () => {
    for (const code of codes) expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
    const categories = new Set(Object.values(faults).map(({ category }) => category));
    expect([...categories].sort()).toEqual(['ACCESS', 'GATEWAY', 'INPUT', 'LIMIT', 'UPSTREAM']);
  });

  test('no two codes have the same message', () => {
    const messages = codes.map((code) => faults[code].message);

    expect(new Set(messages).size).toBe(messages.length);
  });

  test('a refused input has executed NO, and a failed transfer has executed YES', () => {
    const endsOfTransfers = codes.filter((code) => /^TRANSFER_(?:REJECTED|CANCELLED)$/.test(code));
    for (const code of codes) {
      if (faults[code].category !== 'INPUT') continue;
      expect(faults[code].executed).toBe(endsOfTransfers.includes(code) ? 'YES' : 'NO');
    }
  });

  test('an unknown outcome is not retryable', () => {
    expect(faults.OUTCOME_UNKNOWN).toMatchObject({ executed: 'UNKNOWN', retryable: false });
  });
});

describe('a fault', () => {
  test.each(codes)('%s has the values of the table by default', (code) => {
    const fault = new Fault(code);

    expect(fault).toBeInstanceOf(Error);
    expect(fault).toMatchObject({
      name: 'Fault',
      code,
      message: faults[code].message,
      executed: faults[code].executed,
      retryable: faults[code].retryable,
      facts: {},
      inputPath: [],
    });
    expect(fault.upstream).toBeUndefined();
  });

  test('has no property "path", which GraphQL would use as the path of the field', () => {
    expect(new Fault('NOT_FOUND', { path: ['input'] })).not.toHaveProperty('path');
  });

  const details = {
    message: 'The period must be from 1 to 10 years.',
    facts: { minimum: 1, maximum: 10 },
    executed: 'UNKNOWN',
    retryable: true,
    path: ['input', 'period'],
    upstream: { code: 'API_530_ERROR', message: 'Out of range.' },
  } as const;

  test('has the details of its call site', () => {
    const { path, ...rest } = details;

    expect(new Fault('PERIOD_OUT_OF_RANGE', details)).toMatchObject({ ...rest, inputPath: path });
  });

  test('can change its path and keep all other details', () => {
    const { path: _, ...rest } = details;
    const moved = new Fault('PERIOD_OUT_OF_RANGE', details).with({ path: ['input', 'years'] });

    expect(moved).toMatchObject({
      ...rest,
      code: 'PERIOD_OUT_OF_RANGE',
      inputPath: ['input', 'years'],
    });
  });

  test('can change executed and retryable, and has no upstream if it had none', () => {
    const changed = new Fault('UPSTREAM_TIMEOUT').with({ executed: 'NO', retryable: false });

    expect(changed).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed: 'NO', retryable: false });
    expect(changed.upstream).toBeUndefined();
  });
});

const bad = new Fault('UPSTREAM_PROTOCOL');

test.each([[0], [''], [null], [undefined], [false], [{ amount: 1 }]])(
  'unwrap and valueOr return the value %j',
  (value) => {
    expect(unwrap(value)).toBe(value);
    expect(valueOr<unknown, string>(value, 'fallback')).toBe(value);
  },
);

test('unwrap throws the fault of the field', () => {
  expect(() => unwrap(bad)).toThrow(bad);
});

test('valueOr returns the fallback for a fault', () => {
  expect(valueOr(bad, null)).toBeNull();
});

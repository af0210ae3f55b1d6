import { describe, expect, test } from 'vitest';
import { Fault, type FaultCode, faults, type TopLevelCode } from '../../src/kernel/faults.ts';

const codes = Object.keys(faults) as FaultCode[];

const topLevelCodes: readonly TopLevelCode[] = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'RATE_LIMITED',
  'COST_LIMIT_EXCEEDED',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_PROTOCOL',
  'INTERNAL',
];

describe('the table of faults', () => {
  test('is not empty', () => {
    expect(codes.length).toBeGreaterThan(30);
  });

  test.each(codes)('%s is one sentence for a person', (code) => {
    const { message } = faults[code];

    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(message.slice(0, -1)).not.toMatch(/[.!?](?:\s|$)/);
    expect(message.length).toBeLessThanOrEqual(120);
    expect(message).not.toMatch(/\s{2}|\n|—/);
  });

  test.each(codes)('%s is written in capitals and maps into the closed list', (code) => {
    expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
    expect(topLevelCodes).toContain(faults[code].topLevel);
  });

  test.each(topLevelCodes)('%s of the closed list is the code of some fault', (topLevel) => {
    expect(codes.some((code) => faults[code].topLevel === topLevel)).toBe(true);
  });

  test('no two codes say the same', () => {
    const messages = codes.map((code) => faults[code].message);

    expect(new Set(messages).size).toBe(messages.length);
  });

  test('a refusal of the input says that nothing was done, and the end of a transfer that it began', () => {
    const endsOfTransfers = codes.filter((code) => /^TRANSFER_(?:REJECTED|CANCELLED)$/.test(code));
    for (const code of codes) {
      if (faults[code].topLevel !== 'BAD_USER_INPUT') continue;
      expect(faults[code].executed).toBe(endsOfTransfers.includes(code) ? 'YES' : 'NO');
    }
  });

  test('an unknown outcome is never offered for another try', () => {
    expect(faults.OUTCOME_UNKNOWN).toMatchObject({ executed: 'UNKNOWN', retryable: false });
  });
});

describe('a fault', () => {
  test.each(codes)('%s takes what the table says when nothing else is said', (code) => {
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

  test('has no member "path", which GraphQL would take for the place of the field', () => {
    expect(new Fault('NOT_FOUND', { path: ['input'] })).not.toHaveProperty('path');
  });

  const told = {
    message: 'The period must be from 1 to 10 years.',
    facts: { minimum: 1, maximum: 10 },
    executed: 'UNKNOWN',
    retryable: true,
    path: ['input', 'period'],
    upstream: { code: 'API_530_ERROR', message: 'Out of range.' },
  } as const;

  test('says what its call site knows better', () => {
    const { path, ...rest } = told;

    expect(new Fault('PERIOD_OUT_OF_RANGE', told)).toMatchObject({ ...rest, inputPath: path });
  });

  test('may be told of another place without losing a word', () => {
    const { path: _, ...rest } = told;
    const moved = new Fault('PERIOD_OUT_OF_RANGE', told).with({ path: ['input', 'years'] });

    expect(moved).toMatchObject({
      ...rest,
      code: 'PERIOD_OUT_OF_RANGE',
      inputPath: ['input', 'years'],
    });
  });

  test('may be told with other certainty and stays without an upstream when it had none', () => {
    const changed = new Fault('UPSTREAM_TIMEOUT').with({ executed: 'NO', retryable: false });

    expect(changed).toMatchObject({ code: 'UPSTREAM_TIMEOUT', executed: 'NO', retryable: false });
    expect(changed.upstream).toBeUndefined();
  });
});

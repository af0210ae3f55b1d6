import { GraphQLCountryCode } from 'graphql-scalars';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import { accepts, asPayload, createChecks, faultsOf } from './checks.ts';
import { domainFields, withField } from './refused-fields.ts';

const fail = (error: Error) => () => {
  throw error;
};

describe('the checks of an input', () => {
  test('collect every fault, each with its path', async () => {
    const checks = createChecks();
    const own = new Fault('INVALID_INPUT', { path: ['own'] });

    expect(checks.check(['a'], () => 'value')).toBe('value');
    expect(checks.check(['b'], fail(new Fault('INVALID_INPUT')))).toBeNull();
    expect(checks.check(['c'], fail(own))).toBeNull();
    checks.add(new Fault('NOT_FOUND'));

    expect(checks.faults.map(({ code, inputPath }) => [code, inputPath])).toEqual([
      ['INVALID_INPUT', ['b']],
      ['INVALID_INPUT', ['own']],
      ['NOT_FOUND', []],
    ]);
    expect(faultsOf(checks.problems())).toEqual(checks.faults);
    expect(() => checks.finish()).toThrow(checks.problems());
  });

  test('pass without a fault', () => {
    expect(() => createChecks().finish()).not.toThrow();
  });

  test('pass a bug on', () => {
    expect(() => createChecks().check([], fail(new TypeError('a bug')))).toThrow('a bug');
  });
});

describe('the payload of a mutation', () => {
  test('has the result, or the errors with their fields', async () => {
    const path = ['input', 'domain'];

    expect(await asPayload(async () => ({ one: 1 }))).toEqual({ one: 1, errors: [] });
    expect(await asPayload(fail(new Fault('NOT_OWNED')), domainFields)).toMatchObject({
      errors: [{ code: 'NOT_OWNED', inputPath: path }],
    });
    expect(await asPayload(fail(new Fault('NOT_OWNED')))).toMatchObject({
      errors: [{ code: 'NOT_OWNED', inputPath: [] }],
    });
    await expect(asPayload(fail(new TypeError('a bug')))).rejects.toThrow('a bug');
  });
});

describe('the field of a refusal', () => {
  const fields = {
    NOT_FOUND: 'byCode',
    API_1_ERROR: ['byUpstream', 'A message.'],
  } as const;
  const refusal = (code: string, path: string[] = []) =>
    new Fault('NOT_FOUND', { upstream: { code, message: 'Text.' }, path });

  test.each([
    ['is that of the code of the registrar', refusal('API_1_ERROR'), ['input', 'byUpstream']],
    ['else that of the fault', refusal('API_2_ERROR'), ['input', 'byCode']],
    ['and of a code in another form', refusal('xAPI_1_ERROR'), ['input', 'byCode']],
    ['that has a path is that path', refusal('API_1_ERROR', ['own']), ['own']],
    ['without a known code is none', new Fault('LOCKED'), []],
  ])('%s', (_what, fault, path) => {
    expect(withField(fault, fields).inputPath).toEqual(path);
  });

  test('has the more exact message, if there is one', () => {
    expect(withField(refusal('API_1_ERROR'), fields).message).toBe('A message.');
    expect(withField(refusal('API_2_ERROR'), fields).message).toBe(new Fault('NOT_FOUND').message);
  });
});

test('a scalar accepts the texts that it parses', () => {
  expect(['DE', 'Germany', ''].map((text) => accepts(GraphQLCountryCode, text))).toEqual([
    ...[true, false, false],
  ]);
});

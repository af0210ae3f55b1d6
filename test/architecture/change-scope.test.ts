import { describe, expect, test } from 'vitest';
import { settingRows } from '../../src/config/setting-rows.ts';
import { features } from '../../src/features/index.ts';
import { faults } from '../../src/kernel/faults.ts';
import { accountApi } from '../../src/upstream/account-api/operations.ts';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';
import {
  scatteredErrorTypes,
  scatteredFields,
  scatteredRules,
  scatteredSettings,
  scatteredWrites,
  wireMembersOf,
} from './change-scope.ts';
import { type Files, readProduct } from './modules.ts';

// The table "What a change touches" of docs/internals/architecture.md, as far as the source text can show it.

/** Those of features are in their folders, which another test checks. */
const names = Object.keys(settingRows);
const types = [...new Set(Object.values(faults).map(({ type }) => type))].filter(
  (type) => !features.some(({ nodes = [] }) => nodes.includes(type)),
);
const writes = Object.entries({ ...domainApi, ...accountApi })
  .filter(([, { effect }]) => effect === 'write')
  .map(([action]) => action);

const files = readProduct();
const members = wireMembersOf(files);
const filesOf = (sources: Readonly<Record<string, string>>): Files =>
  new Map(Object.entries(sources));

describe('a change touches no more files than the table lists:', () => {
  test('a field that the upstream sends', () => {
    expect(members.length).toBeGreaterThan(10);
    expect(scatteredFields(files, members)).toEqual([]);
  });

  test('a setting', () => {
    expect(names.length).toBeGreaterThan(30);
    expect(scatteredSettings(files, names)).toEqual([]);
  });

  test('an error code', () => {
    expect(types.length).toBeGreaterThan(5);
    expect(scatteredErrorTypes(files, types)).toEqual([]);
  });

  test('a write of the upstream', () => {
    expect(writes.length).toBeGreaterThan(10);
    expect(scatteredWrites(files, writes)).toEqual([]);
  });

  test('a server rule', () => {
    expect([...files.keys()].filter((path) => path.includes('/rules/')).length).toBeGreaterThan(5);
    expect(scatteredRules(files)).toEqual([]);
  });
});

describe('the check reports', () => {
  test('a module that reads a member of a reply', () => {
    const planted = filesOf({
      'src/modules/domain/schema.ts': 'const days = reply.Dates.RemainingDays;',
    });

    expect(scatteredFields(planted, members)).toHaveLength(1);
  });

  test('a module that reads a setting', () => {
    const planted = filesOf({
      'src/modules/tld/loader.ts': 'const age = values.TLD_MAX_AGE_SECONDS;',
    });

    expect(scatteredSettings(planted, names)).toHaveLength(1);
  });

  test('a module with a list of error types', () => {
    const planted = filesOf({
      'src/modules/purchase/schema.ts': "const types = ['PlainError'];",
    });

    expect(scatteredErrorTypes(planted, types)).toHaveLength(1);
  });

  test('two modules that send one write', () => {
    const send = "send('modifynameserver')";
    const planted = filesOf({
      'src/modules/name-server/service.ts': send,
      'src/modules/domain/write.ts': send,
    });

    expect(scatteredWrites(planted, writes)).toHaveLength(2);
  });

  test('a rule that no list or another file imports', () => {
    const rule = 'src/server/graphql/rules/limit-size.ts';
    const other = {
      'src/server/http/body.ts': "import { limit } from '../graphql/rules/limit-size.ts';",
    };

    expect(scatteredRules(filesOf({ [rule]: '' }))).toHaveLength(1);
    expect(scatteredRules(filesOf({ [rule]: '', ...other }))).toHaveLength(1);
  });
});

import { describe, expect, test } from 'vitest';
import { settings } from '../../src/config/settings.ts';
import { faults } from '../../src/kernel/faults.ts';
import { accountApi } from '../../src/upstream/account-api/operations.ts';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';
import {
  scatteredErrorTypes,
  scatteredRules,
  scatteredSettings,
  scatteredWrites,
} from './change-scope.ts';
import { type Files, readSources } from './modules.ts';

// The table "What a change touches" of docs/architecture.md, as far as the text of the sources shows it.

const names = settings.map(({ name }) => name);
const types = [...new Set(Object.values(faults).map(({ type }) => type))];
const writes = Object.entries({ ...domainApi, ...accountApi })
  .filter(([, { effect }]) => effect === 'write')
  .map(([action]) => action);

const files = readSources('src');
const filesOf = (sources: Readonly<Record<string, string>>): Files =>
  new Map(Object.entries(sources));

describe('a change touches no more files than the table says', () => {
  test('a setting', () => {
    expect(names.length).toBeGreaterThan(30);
    expect(scatteredSettings(files, names)).toEqual([]);
  });

  test('an error code', () => {
    expect(types.length).toBeGreaterThan(15);
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

describe('the check turns red', () => {
  test('when a module reads a setting', () => {
    const planted = filesOf({
      'src/modules/tld/loader.ts': 'const age = values.TLD_MAX_AGE_SECONDS;',
    });

    expect(scatteredSettings(planted, names)).toHaveLength(1);
  });

  test('when a module has a list of error types', () => {
    const planted = filesOf({
      'src/modules/purchase/schema.ts': "const types = ['InvalidInput'];",
    });

    expect(scatteredErrorTypes(planted, types)).toHaveLength(1);
  });

  test('when two modules send a write', () => {
    const send = "send('modifynameserver')";
    const planted = filesOf({
      'src/modules/name-server/service.ts': send,
      'src/modules/domain/write.ts': send,
    });

    expect(scatteredWrites(planted, writes)).toHaveLength(2);
  });

  test('when a rule is in no list, or imported by another file', () => {
    const rule = 'src/server/graphql/rules/limit-size.ts';
    const other = {
      'src/server/http/body.ts': "import { limit } from '../graphql/rules/limit-size.ts';",
    };

    expect(scatteredRules(filesOf({ [rule]: '' }))).toHaveLength(1);
    expect(scatteredRules(filesOf({ [rule]: '', ...other }))).toHaveLength(1);
  });
});

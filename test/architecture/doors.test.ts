// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.

import { describe, expect, test } from 'vitest';
import { doors, findViolations, roomOf } from './doors.ts';
import { importsOfAll, readSources } from './modules.ts';

const files = readSources('src');

describe('the doors of the house', () => {
  const rooms = Map.groupBy(files.keys(), roomOf);

  test('every file is in a room that the table knows', () => {
    const known = ['main', ...Object.keys(doors)];

    expect([...rooms.keys()].filter((room) => !known.includes(room))).toEqual([]);
  });

  test.each([...rooms].filter(([, paths]) => paths.length > 1).map(([room]) => room))(
    'the scan sees imports of %s',
    (room) => {
      const seen = importsOfAll(files).filter(({ from }) => roomOf(from) === room);

      expect(seen.length).toBeGreaterThan(0);
    },
  );

  test('the scan sees both calls and names', () => {
    const ours = importsOfAll(files).filter(({ target }) => target !== null);

    expect(ours.filter(({ isType }) => isType).length).toBeGreaterThan(10);
    expect(ours.filter(({ isType }) => !isType).length).toBeGreaterThan(10);
  });

  test('every file that is imported is there', () => {
    const missing = importsOfAll(files).filter(({ target }) => target && !files.has(target));

    expect(missing.map(({ from, specifier }) => `${from} -> ${specifier}`)).toEqual([]);
  });

  test('nobody goes through a door that is shut', () => {
    expect(findViolations(files)).toEqual([]);
  });
});

describe('the check turns red', () => {
  const upstream = '../upstream/domain-api/operations.ts';

  test.each([
    ['kernel/money.ts', "import { readConfig } from '../config/config.ts';"],
    ['kernel/money.ts', "import type { Config } from '../config/config.ts';"],
    ['config/config.ts', "import { createLog } from '../observability/log.ts';"],
    ['persistence/journal.ts', `export { domainApi } from '${upstream}';`],
    ['upstream/call.ts', "import { createLog } from '../observability/log.ts';"],
    ['upstream/call.ts', "import { type Scope } from '../modules/scope.ts';"],
    ['upstream/call.ts', "import '../server/app.ts';"],
    ['schema/builder.ts', `import type { DomainApi } from '${upstream}';`],
    ['schema/builder.ts', "import { Scope } from '../modules/scope.ts';"],
    ['schema/builder.ts', "import type { Tld } from '../modules/tld/service.ts';"],
    ['modules/scope.ts', "import { TldRef } from './tld/schema.ts';"],
    ['modules/scope.ts', "import { createDomainApi } from '../upstream/domain-api/client.ts';"],
    ['modules/scope.ts', "import { domainState } from '../upstream/domain-api/domain-state.ts';"],
    ['modules/scope.ts', "import * as states from '../upstream/domain-api/domain-state.ts';"],
    ['modules/tld/schema.ts', "import { createTldLoader } from './loader.ts';"],
    ['modules/tld/schema.ts', "import type { Journal } from '../../persistence/store.ts';"],
    ['server/app.ts', "import { readConfig } from '../config/config.ts';"],
    ['server/app.ts', `import type { DomainApi } from '${upstream}';`],
    ['sandbox/server.ts', `import { domainApi } from '${upstream}';`],
    ['sandbox/server.ts', "import type { Domain } from '../upstream/domain-api/shapes.ts';"],
    ['sandbox/server.ts', "const late = await import('../server/app.ts');"],
    ['attic/box.ts', "import { Fault } from '../kernel/faults.ts';"],
    ['kernel/money.ts', "import { file } from '../../test/fixture.ts';"],
    [
      'kernel/money.ts',
      "const sign = `${'}'}`;\nimport {\n  // a remark\n  readConfig,\n} from '../config/config.ts';",
    ],
  ])('when src/%s has %j', (path, source) => {
    expect(findViolations(new Map([[`src/${path}`, source]]))).toHaveLength(1);
  });

  test.each([
    ['upstream/call.ts', "import type { Log } from '../observability/log.ts';"],
    ['schema/builder.ts', "import type { Scope } from '../modules/scope.ts';"],
    ['modules/scope.ts', "import type { Journal } from '../persistence/store.ts';"],
    ['modules/tld/schema.ts', "import type { Tld } from './service.ts';"],
    ['modules/tld/schema.ts', "import { MoneyRef } from '../../schema/money.ts';"],
    ['modules/tld/schema.ts', "import { DomainRef } from '../domain/schema.ts';"],
    [
      'modules/tld/schema.ts',
      "import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';",
    ],
    ['modules/index.ts', "import './tld/schema.ts';"],
    ['server/app.ts', "import { schema } from '../modules/index.ts';"],
    ['sandbox/server.ts', `import type { domainApi } from '${upstream}';`],
    ['compose.ts', "import { createDomainApi } from './upstream/domain-api/client.ts';"],
    ['kernel/money.ts', "// import { readConfig } from '../config/config.ts';"],
    ['kernel/money.ts', `const text = "import { readConfig } from '../config/config.ts';";`],
  ])('and stays green when src/%s has %j', (path, source) => {
    expect(findViolations(new Map([[`src/${path}`, source]]))).toEqual([]);
  });
});

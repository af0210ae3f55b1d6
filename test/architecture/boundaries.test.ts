// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source code.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  boundaries,
  findBreaches,
  findSharedCode,
  findViolations,
  folderOf,
} from './boundaries.ts';
import { importsOfAll, productFolders, readProduct, readSources, root } from './modules.ts';

const files = readProduct();

describe('the boundaries between folders', () => {
  const folders = Map.groupBy(files.keys(), folderOf);

  test('every file is in a folder of the table', () => {
    const known = ['composition', ...Object.keys(boundaries)];

    expect([...folders.keys()].filter((folder) => !known.includes(folder))).toEqual([]);
  });

  test.each([...folders].filter(([, paths]) => paths.length > 1).map(([folder]) => folder))(
    'the scan sees imports of %s',
    (folder) => {
      const seen = importsOfAll(files).filter(({ from }) => folderOf(from) === folder);

      expect(seen.length).toBeGreaterThan(0);
    },
  );

  test('the scan sees imports of values and of types', () => {
    const ours = importsOfAll(files).filter(({ target }) => target !== null);

    expect(ours.filter(({ isType }) => isType).length).toBeGreaterThan(10);
    expect(ours.filter(({ isType }) => !isType).length).toBeGreaterThan(10);
  });

  test('every imported file exists', () => {
    const missing = importsOfAll(files).filter(
      ({ target }) => target && !existsSync(join(root, target)),
    );

    expect(missing.map(({ from, specifier }) => `${from} -> ${specifier}`)).toEqual([]);
  });

  test('no import crosses a boundary', () => {
    expect(findViolations(files)).toEqual([]);
  });

  test('the graph is built in one file, for programs and tests too', () => {
    const all = importsOfAll(readSources(...productFolders, 'test', 'bench', 'scripts'));

    expect(
      all.filter(({ target }) => target === 'src/modules/index.ts').map(({ from }) => from),
    ).toEqual(['src/app/build-graph.ts']);
  });
});

describe('a sealed folder', () => {
  test('is imported through its entry file only, by tests too', () => {
    const others = ['test', 'bench', 'scripts', 'examples/storefront/test'];

    expect(findBreaches(readSources(...productFolders, ...others))).toEqual([]);
  });

  test.each([
    ['src/features/portfolio/service.ts', './list-index/columns.ts'],
    ['src/app/tenants.ts', '../features/portfolio/list-index/columns.ts'],
    ['test/graph/reads/domains.test.ts', '../../../src/features/portfolio/list-index/counts.ts'],
  ])('is breached when %s imports %s', (path, target) => {
    const source = `import type { One } from '${target}';`;

    expect(findBreaches(new Map([[path, source]]))).toHaveLength(1);
  });

  test.each([
    ['src/features/portfolio/service.ts', './list-index/portfolio-index.ts'],
    ['src/features/portfolio/list-index/portfolio-index.ts', './columns.ts'],
  ])('is not breached when %s imports %s', (path, target) => {
    expect(findBreaches(new Map([[path, `import { One } from '${target}';`]]))).toEqual([]);
  });
});

describe('the independent upstream', () => {
  const path = 'test/independent';

  test('shares no code with the gateway, and its tests none with the sandbox', () => {
    expect(findSharedCode(readSources(path))).toEqual([]);
  });

  test.each([
    ['upstream.ts', '../../src/kernel/money.ts'],
    ['registrar.ts', '../support/ada.ts'],
    ['registrar.ts', './start.ts'],
    ['purchases.test.ts', '../../sandbox/server.ts'],
  ])('is not independent when %s imports %s', (file, target) => {
    const source = `import { One } from '${target}';`;

    expect(findSharedCode(new Map([[`${path}/${file}`, source]]))).toHaveLength(1);
  });
});

describe('the check of boundaries', () => {
  const upstream = '../upstream/domain-api/operations.ts';

  test.each([
    ['kernel/money.ts', "import { readConfig } from '../config/config.ts';"],
    ['kernel/money.ts', "import type { Config } from '../config/config.ts';"],
    ['config/config.ts', "import { createLog } from '../observability/log.ts';"],
    ['persistence/journal.ts', `export { domainApi } from '${upstream}';`],
    ['upstream/client/call.ts', "import { createLog } from '../../observability/log.ts';"],
    ['upstream/client/call.ts', "import { type Scope } from '../../scope/scope.ts';"],
    ['upstream/client/call.ts', "import '../../server/app.ts';"],
    ['schema/builder.ts', `import type { DomainApi } from '${upstream}';`],
    ['schema/builder.ts', "import { Scope } from '../scope/scope.ts';"],
    ['schema/builder.ts', "import type { Tld } from '../modules/tld/service.ts';"],
    ['scope/scope.ts', "import type { Tld } from '../modules/tld/loader.ts';"],
    ['modules/tld/loader.ts', "import { TldRef } from './schema.ts';"],
    ['scope/scope.ts', "import { createDomainApi } from '../upstream/domain-api/client.ts';"],
    ['scope/scope.ts', "import { domainsReply } from '../upstream/domain-api/shapes.ts';"],
    ['scope/scope.ts', "import * as shapes from '../upstream/domain-api/shapes.ts';"],
    ['modules/tld/schema.ts', "import type { Journal } from '../../persistence/journal.ts';"],
    ['server/app.ts', "import { readConfig } from '../config/config.ts';"],
    ['server/app.ts', "import { schema } from '../app/graph.ts';"],
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
  ])('reports src/%s with %j', (path, source) => {
    expect(findViolations(new Map([[`src/${path}`, source]]))).toHaveLength(1);
  });

  test.each([
    ['upstream/client/call.ts', "import type { Log } from '../../observability/log.ts';"],
    ['schema/builder.ts', "import type { Scope } from '../scope/scope.ts';"],
    ['scope/scope.ts', "import type { Journal } from '../persistence/journal.ts';"],
    [
      'modules/tld/loader.ts',
      "import { readDetails } from '../../upstream/domain-api/read-details.ts';",
    ],
    ['modules/tld/schema.ts', "import type { Tld } from './service.ts';"],
    ['modules/tld/schema.ts', "import { MoneyRef } from '../../schema/money.ts';"],
    ['modules/tld/schema.ts', "import { DomainRef } from '../domain/schema.ts';"],
    [
      'modules/tld/schema.ts',
      "import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';",
    ],
    ['modules/index.ts', "import './tld/schema.ts';"],
    ['sandbox/server.ts', `import type { domainApi } from '${upstream}';`],
    ['app/compose.ts', "import { createDomainApi } from '../upstream/domain-api/client.ts';"],
    ['kernel/money.ts', "// import { readConfig } from '../config/config.ts';"],
    ['kernel/money.ts', `const text = "import { readConfig } from '../config/config.ts';";`],
  ])('accepts src/%s with %j', (path, source) => {
    expect(findViolations(new Map([[`src/${path}`, source]]))).toEqual([]);
  });
});

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { runCommand } from '../../../../test/support/process.ts';

const head = 'name;customer;First name;lastName;email;phone;line1;city;zip_code;country';
const row = (name: string, customer = '', more: { email?: string; zip?: string } = {}) =>
  `${name};${customer};Ada;"Byron; Countess";${more.email ?? 'ada@example.com'};+49 30 123456;Musterweg 1;Berlin;${more.zip ?? '10115'};de`;

let folder: string;
let gateway: TestGateway;
beforeAll(async () => {
  folder = await newFolder('import');
  gateway = await startTestGateway({ sandboxDomains: 3, env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await gateway?.close();
  await rm(folder, { recursive: true, force: true });
});

const importFile = async (text: string) => {
  const file = join(folder, 'profiles.csv');
  await writeFile(file, text);
  return runCommand('src/cli/feature', { DATA_DIR: folder }, ['profiles', 'import', file]);
};
const saved = async (customer: string) =>
  (
    await gateway.query(
      'query ($customer: String) { contactProfiles(first: 100, customer: $customer) { totalCount nodes { name contact { lastName email address { country } } } } }',
      { customer },
    )
  ).data.contactProfiles;

test('a running gateway has the profiles of an imported file, each owner and name once', async () => {
  const rows = [
    ...[
      row('Home', 'acme'),
      row('Home', 'acme', { email: 'last@example.com' }),
      row('Home', 'rival'),
    ],
    ...Array.from({ length: 501 }, (_, at) => row(`Many ${at}`, 'many')),
  ];
  const ended = await importFile(`\ufeff${head}\r\n${rows.join('\r\n')}\r\n`);

  expect(ended).toEqual({
    exitCode: 0,
    stdout: 'Profiles saved: 504; rows refused: 0.\n',
    stderr: '',
  });
  expect(await saved('acme')).toEqual({
    totalCount: 1,
    nodes: [
      {
        name: 'Home',
        contact: {
          lastName: 'Byron; Countess',
          email: 'last@example.com',
          address: { country: 'DE' },
        },
      },
    ],
  });
  expect((await saved('many')).totalCount).toBe(501);
});

test('each fault of a row is reported with its line and column, and the other rows are saved', async () => {
  const broken = row('Broken', 'some', { email: 'x', zip: '1'.repeat(17) });
  const ended = await importFile(
    [
      head,
      row('One', 'some'),
      broken,
      row('', `some`),
      row('Four', 'a'.repeat(65)),
      row('Two', 'some'),
    ].join('\n'),
  );

  expect(ended.exitCode).toBe(1);
  expect(ended.stdout).toBe('Profiles saved: 2; rows refused: 3.\n');
  expect(ended.stderr.trim().split('\n')).toEqual([
    'profiles: line 3, email: "email" must be one address such as "ada@example.com".',
    'profiles: line 3, zipCode: "zipCode" has at most 16 characters; this one has 17.',
    'profiles: line 4, name: "name" must have 1 to 64 printable characters.',
    expect.stringMatching(
      /^profiles: line 5, customer: A customer has 1 to 64 .*; "a+" is none\.$/,
    ),
  ]);
  expect((await saved('some')).nodes.map(({ name }: { name: string }) => name)).toEqual([
    'One',
    'Two',
  ]);
});

test('a file that ends within a quote is refused with its line, after the rows before it', async () => {
  const ended = await importFile(`${head}\n${row('Whole', 'quoted')}\n"Half;quoted;x\n`);

  expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
  expect(ended.stderr).toBe(
    'profiles: Line 3: a quote of this row is never closed. Rows before it that were saved: 1.\n',
  );
  expect((await saved('quoted')).totalCount).toBe(1);
});

test('a file without a needed column is refused, and nothing is saved', async () => {
  const ended = await importFile('name,firstName\nx,y\n');

  expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
  expect(ended.stderr).toContain('the first row must name the columns lastName, email');
});

test('a damaged journal is one sentence', async () => {
  const damaged = await newFolder('damaged');
  const file = join(damaged, 'sandbox-journal.sqlite');
  await writeFile(file, 'This is no database. '.repeat(99));
  const { exitCode, stdout, stderr } = await runCommand('src/cli/feature', { DATA_DIR: damaged }, [
    'profiles',
    'import',
    new URL(import.meta.url).pathname,
  ]);
  await rm(damaged, { recursive: true });

  expect([exitCode, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.any(String)]]);
  expect(stderr).toContain(file);
});

test('an import and a read of a contact are in the audit log, without their values', async () => {
  await importFile(`${head}\n${row('Seen', 'audited')}\n`);
  await importFile('name\n');
  await saved('audited');

  const fields = 'operation domainName outcome inputHash';
  const { data } = await gateway.query(`{ auditLog(first: 3) { nodes { ${fields} } } }`);
  const entry = { domainName: null, outcome: 'OK', inputHash: null };
  expect(data.auditLog.nodes).toEqual([
    { ...entry, operation: 'contactProfiles.read' },
    { ...entry, operation: 'profiles.import', outcome: 'INVALID_INPUT' },
    { ...entry, operation: 'profiles.import' },
  ]);
});

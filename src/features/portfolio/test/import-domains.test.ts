import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { isLong, whyNotShort } from '../../../../test/support/long.ts';
import { runCommand } from '../../../../test/support/process.ts';
import { inShell } from '../../../../test/support/shell.ts';
import { because } from '../../../../test/support/skipped.ts';

const logins = {
  default: { username: 'demo', password: 'demo-password' },
  other: { username: 'other', password: 'other-password' },
};

/** A gateway, and the command over the same journal. */
async function start(settings: Readonly<Record<string, string>> = {}) {
  const folder = await newFolder('import');
  const env = { DATA_DIR: folder, ...settings };
  const gateway = await startTestGateway({ sandboxDomains: 3, env });
  onTestFinished(async () => {
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    gateway,
    folder,
    async importFile(text: string, ...options: readonly string[]) {
      const file = join(folder, 'domains.csv');
      await writeFile(file, text);
      return runCommand('src/cli/feature', env, ['domains', ...options, 'import', file]);
    },
    known: async () => {
      const { data } = await gateway.query('{ domains(first: 1) { coverage { known complete } } }');
      return data.domains.coverage;
    },
  };
}

/** What an import prints about the background reads. */
const readsIn = (time: string) =>
  `A running gateway reads those that the registrar's list leaves out in about ${time}; until then counts of domains are too low.\n`;

test('a running gateway knows the domains of an imported file', async () => {
  const { importFile, known } = await start();
  expect(await known()).toEqual({ known: 3, complete: true });

  const ended = await importFile('one.com\ntwo.com\n\nthree.com\n');

  expect(ended).toEqual({
    exitCode: 0,
    stdout: `Domains added: 3; known before: 0; rows refused: 0.\n${readsIn('1 minute')}`,
    stderr: '',
  });
  expect(await known()).toEqual({ known: 6, complete: false });
});

test('CSV is imported with quotes and a byte order mark', async () => {
  const { importFile, known } = await start();

  const { stdout } = await importFile(
    '\uFEFFname,state\r\n"one.com","ACTIVE"\r\nTWO.com.\r\none.com,again\r\n',
  );

  expect(stdout).toBe(
    `Domains added: 2; known before: 0; rows refused: 0.\n${readsIn('1 minute')}`,
  );
  expect(await known()).toMatchObject({ known: 5 });
});

test('the columns of a list are found in every spelling, and text that cannot be read changes nothing', async () => {
  const { importFile, folder, gateway, known } = await start();
  const customers = async () => {
    const { data } = await gateway.query('{ domains { nodes { customer } } }');
    return data.domains.nodes.map(({ customer }: { customer: string }) => customer);
  };
  const { data } = await gateway.query('{ domains { nodes { name } } }');
  const [one, two, three] = data.domains.nodes.map(({ name }: { name: string }) => name);

  const spelled = await importFile(`sep=;\r\n\r\nDomain Name;Customer;\r\n${one};"@acme;=1";\r\n`);
  const wide = await importFile(`\n\nCUSTOMER,domain_name\n+49,${two}\n\n-7,${three},,\n`);
  const exported = await (await fetch(`${gateway.url}/export/domains.csv`)).text();
  const again = await importFile(exported);
  await writeFile(
    join(folder, 'windows.csv'),
    Buffer.from(`domain;customer\n${`${one};x\n`.repeat(1_500)}bücher.de;Müller\n`, 'latin1'),
  );
  const broken = await runCommand('src/cli/feature', { DATA_DIR: folder }, [
    'domains',
    'import',
    join(folder, 'windows.csv'),
  ]);
  const unnamed = await importFile(`Host,Customer\n${one},x\n`);
  const headless = await importFile(`${one},x\n`);
  const mixed = await importFile(`domain;customer\n${one},x\n`);
  const wider = await importFile(`${one}\n${two};x\n${three},x\n`);

  expect(spelled.stdout).toContain('customers set: 1; labels set: 0; rows refused: 0.');
  expect(wide.stdout).toContain('customers set: 2; labels set: 0; rows refused: 0.');
  expect(again.stdout).toContain('customers set: 3; labels set: 0; rows refused: 0.');
  expect(broken).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'domains: Line 1502: the text is neither UTF-8 nor UTF-16; save it as UTF-8. Nothing was imported.\n',
  });
  for (const { exitCode, stderr } of [unnamed, headless]) {
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('no column is named "domain"')]);
  }
  expect([mixed.exitCode, mixed.stdout]).toEqual([1, expect.stringContaining('refused: 1.')]);
  expect([wider.exitCode, wider.stdout]).toEqual([1, expect.stringContaining('refused: 2.')]);
  expect(await customers()).toEqual(['@acme;=1', '+49', '-7']);
  expect(await known()).toMatchObject({ known: 3 });
});

test('broken lines are reported by their numbers, at most 100 of them, and the others are imported', async () => {
  const { importFile, known } = await start();

  const some = await importFile('one.com\nno name\ntwo.com\n-.com\n');
  const many = await importFile(`three.com\n${'no name\n'.repeat(150)}four.com`);

  expect(some.exitCode).toBe(1);
  expect(some.stdout).toContain('rows refused: 2.');
  expect(some.stderr).toMatch(/^domains: line 2: .*\ndomains: line 4: .*\n$/);
  expect(many.stderr.trim().split('\n')).toHaveLength(101);
  expect(many.stderr).toContain('domains: 50 more rows.');
  expect(await known()).toMatchObject({ known: 7 });
});

test('customers and labels are set by row, and a refused row changes nothing', async () => {
  const { importFile, gateway } = await start();
  const { data: listed } = await gateway.query('{ domains { nodes { name } } }');
  const [one, two, three] = listed.domains.nodes.map(({ name }: { name: string }) => name);
  const many = Array.from({ length: 20 }, (_, at) => `label:l${at}`).join();
  const values = ',v'.repeat(20);

  const first = await importFile(
    [
      'customer;note;domain;label:Team;label:plan',
      `acme;x;${one};blue;"a; b"`,
      `"Café ""7""";;${two};;`,
      `${'a'.repeat(65)};;${three};red;`,
      `acme;;${three};red${'d'.repeat(128)};`,
      'acme;;no name;red;',
      '',
      `acme;;${one};;`,
    ].join('\n'),
  );
  const second = await importFile(`domain,${many}\n${one}${values}\n${two}${values}\n`);

  expect(first).toMatchObject({
    exitCode: 1,
    stdout:
      'Domains added: 0; known before: 2; customers set: 2; labels set: 2; rows refused: 3.\n',
  });
  expect(first.stderr).toMatch(
    /^domains: line 4: A customer has .*\ndomains: line 5: A label has .*\ndomains: line 6: .*\n$/,
  );
  expect(second.stdout).toContain('labels set: 20; rows refused: 1.');
  expect(second.stderr).toBe(
    `domains: line 2: A domain has at most 20 labels; ${one} would have 22.\n`,
  );
  const { data } = await gateway.query('{ domains { nodes { customer labels { name value } } } }');
  expect(data.domains.nodes).toMatchObject([
    {
      customer: 'acme',
      labels: [
        { name: 'Team', value: 'blue' },
        { name: 'plan', value: 'a; b' },
      ],
    },
    { customer: 'Café "7"', labels: { length: 20 } },
    { customer: null, labels: [] },
  ]);
});

test.skipIf(whyNotShort)('with several tenants one is chosen by its name', async () => {
  const file = join(await newFolder('tenants'), 'tenants.json');
  await writeFile(file, JSON.stringify(logins));
  const { importFile } = await start({ TENANTS_FILE: file });

  const none = await importFile('one.com');
  const first = await importFile('one.com', '--tenant', 'default');
  const again = await importFile('one.com', '--tenant', 'default');
  const second = await importFile('one.com', '--tenant', 'other');

  expect(none).toMatchObject({
    exitCode: 2,
    stderr: 'domains: Choose a tenant: --tenant with one of default, other, before the command.\n',
  });
  expect(first.stdout).toMatch(/^Domains added: 1; known before: 0;/);
  expect(again.stdout).toMatch(/^Domains added: 0; known before: 1;/);
  expect(second.stdout).toMatch(/^Domains added: 1;/);
});

const wrong: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
  [['import', '/no/such/file.csv'], /cannot be opened/],
  [[], /Give a command and a file/],
  [['export', 'file'], /Give a command and a file/],
  [['import', 'one', 'two'], /Give a command and a file/],
];
test.each(isLong ? wrong : wrong.slice(0, 1))(
  'wrong arguments %s are refused with one sentence',
  async (args, sentence) => {
    const ended = await runCommand('src/cli/feature', {}, ['domains', ...args]);

    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toMatch(sentence);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  },
);

test('without a journal nothing is imported', async () => {
  const folder = await newFolder('no-journal');
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'domains.txt');
  await writeFile(file, 'one.com');

  const ended = await runCommand('src/cli/feature', { DATA_DIR: folder }, [
    'domains',
    'import',
    file,
  ]);

  expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
  expect(ended.stderr).toMatch(/There is no journal at/);
});

const terminal = '/usr/bin/script';

const whyNoTerminal = whyNotShort ?? (existsSync(terminal) ? null : 'install "script"');
test.skipIf(whyNoTerminal)(
  `a terminal shows the progress of an import, and the output has none${because(whyNoTerminal)}`,
  async () => {
    const { folder, known } = await start();
    const names = Array.from({ length: 5_001 }, (_, at) => `imported-${at}.com`);
    await writeFile(join(folder, 'many.txt'), names.join('\n'));
    const line = `DATA_DIR=${folder} "${process.execPath}" src/cli/run.mjs src/cli/feature domains import ${folder}/many.txt`;

    const shown = await inShell(`${terminal} -qec '${line} > ${folder}/output' /dev/null`);

    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('5000 rows');
    expect(await readFile(join(folder, 'output'), 'utf8')).toBe(
      `Domains added: 5001; known before: 0; rows refused: 0.\n${readsIn('17 minutes')}`,
    );
    expect(await known()).toMatchObject({ known: 5_004 });
  },
);

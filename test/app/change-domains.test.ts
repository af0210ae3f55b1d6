import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { apiKeysOf, by, keyOf } from '../access/keys.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGatewayOptions } from '../support/gateway.ts';
import { whyNotShort } from '../support/long.ts';
import { runCommand } from '../support/process.ts';

/** A gateway, and the commands that send requests to it. */
async function start(options: TestGatewayOptions = {}, key?: string) {
  const folder = await newFolder('change');
  const gateway = await startTestGateway(options);
  onTestFinished(async () => {
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });
  await gateway.resetCalls();
  const env = { GATEWAY_URL: `${gateway.url}/graphql/`, ...(key && { GATEWAY_KEY: keyOf(key) }) };
  return {
    gateway,
    /** Runs a command over a file with the text. */
    async run(command: string, text: string | Uint8Array, interrupt?: Promise<unknown>) {
      const file = join(folder, 'file');
      await writeFile(file, text);
      return runCommand('src/cli/feature', env, ['domains', command, file], interrupt);
    },
    hosts: async (name: string) => {
      const { data } = await gateway.query(`{ domain(name: "${name}") { nameServers } }`);
      return data.domain.nameServers;
    },
  };
}

test('change sets the name servers of each domain of a file, with one read and one write each', async () => {
  const { run, gateway, hosts } = await start();

  const ended = await run(
    'change',
    '\uFEFFName Servers;Domain\r\n"ns1.csv.net, ns2.CSV.net.";REseller-demo.com.\r\nns1.csv.net|ns.bücher.de;unlocked-demo.com\r\n;\r\n',
  );
  const calls = await gateway.countCalls();
  const again = await run(
    'change',
    'domain,nameServers\nreseller-demo.com,ns2.csv.net ns1.csv.net\nnot-ours-at-all.com,ns1.csv.net ns2.csv.net\n',
  );

  expect(ended).toEqual({
    exitCode: 0,
    stdout: 'Changes made: 2; not needed: 0; failed: 0; unknown: 0; cancelled: 0.\n',
    stderr: '',
  });
  expect(calls).toEqual({ getdetails: 2, modifynameserver: 2 });
  expect(again).toEqual({
    exitCode: 1,
    stdout: 'Changes made: 0; not needed: 1; failed: 1; unknown: 0; cancelled: 0.\n',
    stderr: 'domains: not-ours-at-all.com is FAILED: The account has no such domain.\n',
  });
  expect(await hosts('reseller-demo.com')).toEqual(['ns1.csv.net', 'ns2.csv.net']);
  expect(await hosts('unlocked-demo.com')).toEqual(['ns1.csv.net', 'ns.xn--bcher-kva.de']);
});

test.skipIf(whyNotShort)(
  'a file with more domains than a bulk change is changed by several, one after the other',
  async () => {
    const { run, gateway } = await start({ sandboxDomains: 2_100, sandboxListSize: 0 });
    const { data } = await gateway.query(
      '{ domains(first: 100, filter: { states: [ACTIVE], tlds: ["com"] }) { nodes { name } } }',
    );
    const owned = data.domains.nodes.map(({ name }: { name: string }) => name).slice(0, 10);
    const others = Array.from({ length: 2_000 }, (_, at) => `not-ours-${at}.com`);
    const row = (name: string) => `${name},ns1.csv.net ns2.csv.net`;

    const ended = await run(
      'change',
      ['domain,nameServers', ...[...others, ...owned].map(row)].join('\n'),
    );

    expect(ended).toMatchObject({
      exitCode: 1,
      stdout: 'Changes made: 10; not needed: 0; failed: 2000; unknown: 0; cancelled: 0.\n',
      stderr: expect.stringContaining('domains: 1900 more domains.'),
    });
    const { data: after } = await gateway.query('{ bulkChanges { totalCount } }');
    expect(after.bulkChanges.totalCount).toBe(2);
  },
);

/** A gateway whose bulk changes wait for an approval. */
async function startWithApprovals() {
  const rules = join(await newFolder('rules'), 'approvals.json');
  onTestFinished(() => rm(dirname(rules), { recursive: true }));
  await writeFile(rules, JSON.stringify({ rules: [{ operations: ['BULK_CHANGE'] }] }));
  const API_KEYS = apiKeysOf({
    staff: ['domains:read', 'domains:write'],
    manager: ['approvals:decide'],
  });
  return start({ env: { API_KEYS, APPROVALS_FILE: rules } }, 'staff');
}

test('an interrupt cancels the domains for which nothing was sent', async () => {
  const { run, gateway } = await startWithApprovals();
  const approvals = async () => {
    const { data } = await gateway.query('{ approvals { nodes { state } } }', {}, by('manager'));
    return data.approvals.nodes.map(({ state }: { state: string }) => state);
  };
  const waits = expect.poll(approvals, { timeout: 60_000 }).toEqual(['REQUESTED']);
  const rows = Array.from({ length: 2_001 }, (_, at) => `name-${at}.com,ns1.csv.net ns2.csv.net`);

  const ended = await run('change', `domain,nameServers\n${rows.join('\n')}\n`, waits);

  expect(ended.exitCode).toBe(130);
  expect(ended.stdout).toBe(
    'Changes made: 0; not needed: 0; failed: 0; unknown: 0; cancelled: 2001.\n',
  );
  expect(ended.stderr).toContain('The domains for which nothing was sent are cancelled.');
  expect(await approvals()).toEqual(['CANCELLED']);
  expect(await gateway.countCalls()).toEqual({});
});

test('change shows where a bulk change waits for an approval, and follows it to its end', async () => {
  const { run, gateway } = await startWithApprovals();

  const ended = run('change', 'domain,nameServers\nreseller-demo.com,ns1.csv.net ns2.csv.net\n');
  let id = '';
  const decide = async () => {
    const { data } = await gateway.query('{ approvals { nodes { id } } }', {}, by('manager'));
    id = data.approvals.nodes[0].id;
    await gateway.query(
      'mutation ($input: IdInput!) { approve(input: $input) { errors { code } } }',
      { input: { id } },
      by('manager'),
    );
  };
  await expect
    .poll(
      () =>
        decide().then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);

  expect(await ended).toEqual({
    exitCode: 0,
    stdout: 'Changes made: 1; not needed: 0; failed: 0; unknown: 0; cancelled: 0.\n',
    stderr: `domains: A bulk change waits for the approval of another person: ${gateway.url}/approvals/${id}\n`,
  });
});

test('change reports each row that is not valid, and then changes nothing', async () => {
  const { run, gateway } = await start();
  // More than are read together.
  const many = Array.from({ length: 2_000 }, (_, at) => `name-${at}.com,ns1.csv.net ns2.csv.net`);

  const some = await run(
    'change',
    'domain,nameServers\nreseller-demo.com,ns1.csv.net\nx y,ns1.csv.net\n\nRESELLER-demo.com,ns2.csv.net\nprivate-demo.net,\nunlocked-demo.com,ns1.csv.net -\n',
  );
  const twice = await run(
    'change',
    ['domain,nameServers', ...many, ...many, '-.com,ns1.csv.net'].join('\n'),
  );

  expect([some.exitCode, some.stdout]).toEqual([1, '']);
  expect(some.stderr).toMatch(
    /^domains: line 3, domain: "x y" .*\ndomains: line 5, domain: reseller-demo\.com is in line 2 already\.\ndomains: line 6, nameServers: .* 0 were given\.\ndomains: line 7, nameServers: .*\ndomains: Rows refused: 4\. Nothing was changed\.\n$/,
  );
  expect([twice.exitCode, twice.stdout]).toEqual([1, '']);
  expect(twice.stderr).toMatch(/^domains: line 2002, domain: name-0\.com is in line 2 already\.\n/);
  expect(twice.stderr.trim().split('\n')).toHaveLength(102);
  expect(twice.stderr).toContain('domains: 1901 more rows.\ndomains: Rows refused: 2001.');
  expect(await gateway.countCalls()).toEqual({});
});

const desired = `
domains:
  - match: reseller-demo.*
    nameServers: [ns1.yaml.net, ns2.yaml.net]
  - names: [unlocked-demo.com, private-demo.net]
    privacyProtected: true
  - match: private-demo.net
    privacyProtected: false
  - match: "*-nowhere.com"
    privacyProtected: true
`;
const notes = expect.stringMatching(
  /^domains: Entry 4 selects no domain in use\.\ndomains: The gateway does not know [^\n]+\n$/,
);

test('plan shows what differs and changes nothing, and apply changes that and no more', async () => {
  const { run, gateway, hosts } = await start();

  const before = await run('plan', desired);
  const planCalls = await gateway.countCalls();
  await gateway.resetCalls();
  const applied = await run('apply', desired);
  const { getdomainlist: _list, ...applyCalls } = await gateway.countCalls();
  await gateway.resetCalls();
  const again = await run('apply', desired);

  expect(before).toEqual({
    exitCode: 2,
    stdout: `reseller-demo.com
  nameServers: ns1.reseller-demo.com ns2.reseller-demo.com -> ns1.yaml.net ns2.yaml.net
unlocked-demo.com
  privacyProtected: false -> true
private-demo.net
  privacyProtected: true -> false
3 of 3 domains differ.
`,
    stderr: notes,
  });
  expect(planCalls).toEqual({ getdomainlist: 1 });
  expect(applied).toEqual({
    exitCode: 0,
    stdout: 'Changes made: 3; not needed: 0; failed: 0; unknown: 0; cancelled: 0.\n',
    stderr: notes,
  });
  expect(applyCalls).toEqual({ getdetails: 3, modifynameserver: 1, modifyprivacystatus: 2 });
  expect(again).toEqual({ exitCode: 0, stdout: '0 of 3 domains differ.\n', stderr: notes });
  expect(await gateway.countCalls()).not.toHaveProperty('getdetails');
  expect(await hosts('reseller-demo.com')).toEqual(['ns1.yaml.net', 'ns2.yaml.net']);
});

test('plan reads a domain that the list leaves out, and fails for one that the account does not have', async () => {
  const { run, gateway } = await start({ sandboxListSize: 3 });
  const of = (name: string) => `domains: [{ names: [${name}], privacyProtected: false }]`;

  const { data } = await gateway.query('{ domains { nodes { name } } }');
  const listed = data.domains.nodes.map(({ name }: { name: string }) => name);
  const names = ['reseller-demo.com', 'unlocked-demo.com', 'grace-demo.com', 'drifted-demo.com'];
  const name = names.find((one) => !listed.includes(one)) ?? '';
  await gateway.resetCalls();

  const unlisted = await run('plan', of(name));
  const { getdetails } = await gateway.countCalls();
  const absent = await run('plan', of('not-ours-at-all.com'));
  const matched = await run('plan', 'domains: [{ match: "*", nameServers: [ns1.yaml.net] }]');

  expect(matched.stderr).toMatch(/^domains: The gateway does not know the values of all domains/);
  expect([unlisted.exitCode, unlisted.stdout]).toEqual([0, '0 of 1 domains differ.\n']);
  expect(getdetails).toBe(1);
  expect(absent).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'domains: The account has no domain not-ours-at-all.com.\n',
  });
});

test('wrong arguments of plan have the exit code 1, because 2 means that domains differ', async () => {
  const ended = await runCommand('src/cli/feature', {}, [
    'domains',
    '--tenant',
    'acme',
    'plan',
    'file',
  ]);

  expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
  expect(ended.stderr).toContain('Only import has --tenant');
});

test('the commands have the rights of GATEWAY_KEY, and name the missing scope', async () => {
  const env = {
    API_KEYS: apiKeysOf({ reader: ['domains:read'], desk: ['domains:read', 'domains:write'] }),
  };
  const { run, gateway } = await start({ env }, 'reader');

  const planned = await run('plan', desired);
  const applied = await run('apply', desired);
  const stranger = await runCommand('src/cli/feature', { GATEWAY_URL: gateway.url }, [
    'domains',
    'plan',
    join(import.meta.dirname, 'desired.yaml'),
  ]);
  const calls = await gateway.countCalls();

  expect(planned.exitCode).toBe(2);
  expect(applied).toMatchObject({ exitCode: 1, stdout: '' });
  expect(applied.stderr).toContain('domains:write');
  expect(stranger).toMatchObject({ exitCode: 1, stdout: '' });
  expect(Object.keys(calls)).toEqual(['getdomainlist']);
});

test('another server than a gateway is reported in one sentence', async () => {
  const { gateway } = await start();
  const env = { GATEWAY_URL: gateway.sandboxUrl };

  const ended = await runCommand('src/cli/feature', env, [
    'domains',
    'plan',
    join(import.meta.dirname, 'desired.yaml'),
  ]);

  expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
  expect(ended.stderr).toMatch(/^domains: The response of .* is not one of a gateway.*\n$/);
});

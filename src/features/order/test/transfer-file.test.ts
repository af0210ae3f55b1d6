import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { apiKeysOf, by, keyOf } from '../../../../test/access/keys.ts';
import { transferCode } from '../../../../test/graph/purchases/shop.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { runCommand } from '../../../../test/support/process.ts';

const folder = await newFolder('transfers');
const gateway = await startTestGateway({
  env: {
    API_KEYS: apiKeysOf({
      staff: ['domains:check', 'domains:read', 'domains:spend', 'customers:write'],
      reader: ['domains:read'],
    }),
  },
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

async function transfer(text: string, options: readonly string[] = [], key = 'staff') {
  const file = join(folder, 'file.csv');
  await writeFile(file, text);
  const env = { GATEWAY_URL: gateway.url, GATEWAY_KEY: keyOf(key) };
  const ended = await runCommand('src/cli/feature', env, ['domains', ...options, 'transfer', file]);
  expect(`${ended.stdout}${ended.stderr}`).not.toContain(transferCode);
  return ended;
}
const linesOf = async (id: string) => {
  const document = `query ($id: ID!) { order(by: { id: $id }) { lines { kind domainName customer } } }`;
  return (await gateway.query(document, { id }, by('staff'))).data.order.lines;
};
const text = `Domain,Code,Customer
outside-file-one.com,${transferCode},acme
OUTSIDE-file-two.com.,${transferCode},
`;

test('a file is checked and priced first, and is one order with --yes, however often it is sent', async () => {
  await gateway.resetCalls();
  const checked = await transfer(text);
  expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
  expect(checked.stdout).toMatch(
    /^2 transfers: \d+\.\d{4} USD\.\n.+\nNothing was sent\. Repeat the command with --yes/,
  );
  expect(await gateway.countCalls()).not.toHaveProperty('transferdomain');

  const placed = await transfer(text, ['--yes']);
  expect(placed.exitCode).toBe(0);
  const [, id = ''] =
    /Placed: 2 transfers as the order (\S+), which is RUNNING\./.exec(placed.stdout) ?? [];
  expect(await linesOf(id)).toEqual([
    { kind: 'TRANSFER', domainName: 'outside-file-one.com', customer: 'acme' },
    { kind: 'TRANSFER', domainName: 'outside-file-two.com', customer: null },
  ]);
  await expect.poll(() => gateway.countCalls()).toMatchObject({ transferdomain: 2 });

  const again = await transfer(text, ['--yes']);
  expect(again).toMatchObject({ exitCode: 0, stderr: '' });
  expect(again.stdout).toMatch(
    new RegExp(
      `^Placed before: 2 transfers as the order ${id}, which is \\w+\\.\nNothing was sent\\.\n$`,
    ),
  );
  expect(await gateway.countCalls()).toMatchObject({ transferdomain: 2 });
});

test('each row that is blocked is named, and nothing is sent', async () => {
  await gateway.resetCalls();
  const rows = [
    `outside-file-three.com,${transferCode}`,
    `reseller-demo.com,${transferCode}`,
    `not-registered-anywhere.com,${transferCode}`,
    `maple.nosuchtld,${transferCode}`,
  ];
  const { exitCode, stdout, stderr } = await transfer(`domain,code\n${rows.join('\n')}\n`, [
    '--yes',
  ]);

  expect([exitCode, stdout]).toEqual([1, '']);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/^domains: (line \d+)?.*$/, '$1'))).toEqual([
    'line 3',
    'line 4',
    'line 5',
    '',
  ]);
  expect(lines.at(-1)).toBe('domains: Nothing was sent, because these rows are blocked.');
  expect(await gateway.countCalls()).not.toHaveProperty('transferdomain');
});

test.each([
  [
    'a code with a comma and quotes',
    'domain,code\noutside-quoted.com,"a,""b"""\n',
    /^1 transfer: /,
    0,
  ],
  ['no code', 'domain,code\nmaple.com,\n', /line 2, code: The auth code is missing\./, 1],
  [
    'a name twice',
    `domain,code\na.com,x\nA.com,y\n`,
    /line 3, domain: a\.com is in line 2 already\./,
    1,
  ],
  ['a name that is none', 'domain,code\nmaple,x\n', /line 2, domain: "maple" has no TLD/, 1],
  [
    'another column',
    'domain,code,label:team\n',
    /"label:team" is no column; the columns are domain, code, customer\. Nothing was sent\./,
    1,
  ],
  ['no domain', 'domain;code\n', /The file has no domain\./, 1],
  ['no header', `maple.com,${'x'}\n`, /Line 1: .*Nothing was sent\./, 1],
])('a file with %s', async (_what, content, sentence, code) => {
  const { exitCode, stdout, stderr } = await transfer(content);
  expect(`${stdout}${stderr}`).toMatch(sentence);
  expect(exitCode).toBe(code);
});

test('a key without the scope is refused, and other commands have no --yes', async () => {
  const refused = await transfer(text, [], 'reader');
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain('domains:spend');
  const env = { GATEWAY_URL: gateway.url };
  const file = join(folder, 'file.csv');
  const change = await runCommand('src/cli/feature', env, ['domains', 'change', file, '--yes']);
  expect(change).toMatchObject({ exitCode: 2, stdout: '' });
  expect(change.stderr).toContain('change has no --yes.');
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeysOf, keyOf } from '../../../../test/access/keys.ts';
import { order } from '../../../../test/graph/purchases/shop.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { isLong, whyNotShort } from '../../../../test/support/long.ts';
import { runCommand } from '../../../../test/support/process.ts';
import { connectStdio, handleIn } from './clients.ts';

let folder: string;
beforeAll(async () => {
  folder = await newFolder('mcp');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const settings = (name: string, more: Record<string, string> = {}) => ({
  ...{ DATA_DIR: join(folder, name), SANDBOX_PORT: '0', SANDBOX_LATENCY: 'none' },
  ...more,
});
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

/** Each of these tests starts a process. */
const longTest = test.skipIf(whyNotShort);

describe('the program for standard input and output', () => {
  test.each(isLong ? (['auto', 'legacy'] as const) : (['auto'] as const))(
    'serves the tools of the default scopes to a client in the mode %s, and logs to standard error',
    async (mode) => {
      const client = await connectStdio(settings(`default-${mode}`), mode);
      const names = namesOf(await client.list());
      const { data } = await client.call('check_names', { names: ['maple-harbor.com'] });
      const refused = await client.call('purchases');
      await expect(client.call('no_tool')).rejects.toThrow('This tool does not exist.');
      await expect(client.call('é\n')).rejects.toThrow('This tool does not exist.');
      await client.close();

      expect(names).toEqual([
        ...['search_names', 'check_names', 'prices', 'domain', 'portfolio_summary', 'domains'],
        ...['account', 'events', 'gateway'],
      ]);
      expect(data.availabilities).toMatchObject([{ state: 'AVAILABLE' }]);
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^FORBIDDEN: /),
      });
      expect(client.log()).toContain('"tool":"check_names"');
    },
  );

  longTest('has the scopes of MCP_SCOPES, and buys in two steps with MCP_WRITES', async () => {
    const env = { MCP_SCOPES: 'domains:spend, domains:check', MCP_WRITES: 'true' };
    const client = await connectStdio(settings('buys', env));
    const args = { registration: order({ domain: 'by-a-model.com' }) };
    const quoted = await client.call('quote_purchase', args);
    const { data } = await client.call('buy', { handle: handleIn(quoted) });
    await client.close();

    expect(data.purchase).toMatchObject({ state: 'SUCCEEDED', domainName: 'by-a-model.com' });
  });

  longTest('has the rights of MCP_KEY', { tags: ['M1'] }, async () => {
    const env = { API_KEYS: apiKeysOf({ desk: ['domains:read'] }), MCP_KEY: keyOf('desk') };
    const client = await connectStdio(settings('key', env));
    const names = namesOf(await client.list());
    const { data } = await client.call('gateway');
    await client.close();

    expect(names).not.toContain('check_names');
    expect(data.gateway).toMatchObject({ caller: 'desk', scopes: ['domains:read'] });
  });

  longTest('reports a key that does not exist in one sentence, without the key', async () => {
    const env = { API_KEYS: apiKeysOf({ desk: ['domains:read'] }), MCP_KEY: keyOf('stranger') };
    const client = await connectStdio(settings('stranger', env));
    await expect(client.list()).rejects.toThrow('This API key is not known here');
    await client.close();

    expect(client.log()).not.toContain(keyOf('stranger'));
  });

  longTest.each([
    [['--help'], {}, 0, 'Usage: npm run mcp --silent'],
    [['--nonsense'], {}, 2, 'nonsense'],
    [[], { MCP_SCOPES: 'domains:all' }, 2, 'MCP_SCOPES must be scopes separated by commas'],
    [['--tenant', 'other'], {}, 2, 'Choose a tenant'],
  ])('ends with arguments %j and settings %j', async (args, env, code, text) => {
    const { exitCode, stdout, stderr } = await runCommand(
      'src/cli/feature',
      settings('ends', env),
      ['mcp', ...args],
    );

    expect(exitCode).toBe(code);
    expect(`${stdout}${stderr}`).toContain(text);
    expect(stdout === '').toBe(code !== 0);
  });

  test('ends when its input ends, and writes nothing but messages to standard output', async () => {
    // Its input is closed from the start.
    const { exitCode, stdout, stderr } = await runCommand('src/cli/feature', settings('closed'), [
      'mcp',
    ]);

    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).not.toContain('error');
  });
});

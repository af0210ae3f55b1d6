import { afterAll, describe, expect, test } from 'vitest';
import { startTestSandbox } from './client.ts';

const sandbox = await startTestSandbox({ domains: 2_500, listSize: 0 });
afterAll(() => sandbox.close());

interface Row {
  readonly ID: number;
  readonly DomainName: string;
}

describe('the sandbox streams the list', () => {
  test('with every domain once, in the order of ids, as in its details', async () => {
    const { status, headers, body } = await sandbox.act('getdomainlist');

    const rows: readonly Row[] = body.data.Domains;
    const ids = rows.map(({ ID }) => ID);
    expect(status).toBe(200);
    expect(headers.get('content-length')).toBeNull();
    expect(body).toMatchObject({ result: 'OK', TotalCount: 2_500 });
    expect(new Set(rows.map(({ DomainName }) => DomainName)).size).toBe(2_500);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(rows[2_000]).toEqual(await sandbox.details(rows[2_000]?.DomainName ?? ''));
  });

  test('and applies cut and every other fault to it', async () => {
    await sandbox.arm({ fault: 'cut', action: 'getdomainlist' });
    await expect(sandbox.act('getdomainlist')).rejects.toThrow();
    await sandbox.arm({ fault: 'html', action: 'getdomainlist' });
    expect((await sandbox.act('getdomainlist')).text).toMatch(/^<br \/>.*"TotalCount":2500}$/s);
    await sandbox.arm({ fault: 'wrongtypes', action: 'getdomainlist' });
    const { body } = await sandbox.act('getdomainlist');

    expect(body.TotalCount).toBe('a lot');
    expect(body.data.Domains[2_000]).toMatchObject({ Status: 7, NameServers: 'none' });
  });
});

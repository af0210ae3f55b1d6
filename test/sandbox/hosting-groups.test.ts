import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.close());

const failure = (statusCode: number, path: string) => ({
  status: statusCode,
  body: { statusCode, message: expect.any(String), path: `/account-api${path}` },
});

describe('hosting groups of the sandbox', () => {
  test('change only the fields that are sent', async () => {
    const change = { hostingGroupName: 'Tiny sites' };

    const { body } = await sandbox.account('PATCH', '/hosting/group/hg_demo_1', change);

    const group = {
      id: 'hg_demo_1',
      hostingGroupName: 'Tiny sites',
      hostingGroupDescription: 'Shared hosting for brochure sites.',
      hostingGroupImage: 'https://images.example/hg_demo_1.png',
    };
    expect(body.data).toEqual(group);
    expect((await sandbox.admin('GET', '/hosting-groups'))[0]).toMatchObject(group);
  });

  test('return 404 for an unknown group and for a group of another user', async () => {
    for (const [id, token] of [
      ['hg_unknown', 'demo-token'],
      ['hg_demo_1', 'other-token'],
      ['%E0%A4%A', 'demo-token'],
    ] as const) {
      const path = `/hosting/group/${id}`;
      const reply = await sandbox.account('PATCH', path, { hostingGroupName: 'x' }, token);
      expect(reply).toMatchObject(failure(404, path));
    }
  });

  test.each([
    { hostingGroupName: '' },
    { hostingGroupName: 7 },
    { hostingGroupImage: 'no url' },
    [],
  ])('refuse the change %j with 400', async (change) => {
    const path = '/hosting/group/hg_demo_1';
    expect(await sandbox.account('PATCH', path, change)).toMatchObject(failure(400, path));
  });

  test('are deleted one by one, the last updated one first', async () => {
    await sandbox.account('PATCH', '/hosting/group/hg_demo_2', { hostingGroupName: 'Later' });

    const ids = [];
    for (let at = 0; at < 3; at += 1) {
      ids.push((await sandbox.account('DELETE', '/hosting/group')).body.data.id);
    }

    expect(ids).toEqual(['hg_demo_2', 'hg_demo_3', 'hg_demo_1']);
    expect(await sandbox.account('DELETE', '/hosting/group')).toMatchObject(
      failure(404, '/hosting/group'),
    );
  });
});

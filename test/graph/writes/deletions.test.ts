import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { mutate } from './mutate.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ sandboxDomains: 1 });
});
afterEach(() => gateway.close());

const ids = async () =>
  ((await gateway.admin('GET', '/hosting-groups')) as readonly { id: string }[]).map(
    ({ id }) => id,
  );
const logs = async () => (await gateway.admin('GET', '/logs')) as readonly { text: string }[];

describe.each([
  ['deleteHostingGroup', 'DELETE /hosting/group'],
  ['deleteLogs', 'DELETE /logs'],
])('%s', (name, action) => {
  test('without confirm is refused before an upstream call', { tags: ['G23'] }, async () => {
    const it = await mutate(gateway, name, { confirm: false }, 'deleted');

    expect(it).toEqual({
      deleted: false,
      errors: [
        {
          __typename: 'ConfirmationRequired',
          code: 'CONFIRMATION_REQUIRED',
          message: 'This cannot be undone; pass `confirm: true` to confirm it.',
          path: ['input', 'confirm'],
          executed: 'NO',
          retryable: false,
        },
      ],
    });
    expect(await gateway.countCalls()).toEqual({});
    expect(await ids()).toHaveLength(3);
    expect(await logs()).toHaveLength(25);
  });

  test('with confirm is one upstream call', { tags: ['G23'] }, async () => {
    expect(await mutate(gateway, name, { confirm: true }, 'deleted')).toEqual({
      deleted: true,
      errors: [],
    });
    expect(await gateway.countCalls()).toEqual({ [action]: 1 });
  });
});

test('deleteHostingGroup deletes one group of the sandbox', async () => {
  const { deletedId } = await mutate(gateway, 'deleteHostingGroup', { confirm: true }, 'deletedId');

  expect(await ids()).toEqual(['hg_demo_1', 'hg_demo_2']);
  expect(deletedId).toBe('hg_demo_3');
});

test('deleteHostingGroup without a group is NOT_FOUND', async () => {
  for (const _ of await ids()) await mutate(gateway, 'deleteHostingGroup', { confirm: true });

  const it = await mutate(gateway, 'deleteHostingGroup', { confirm: true }, 'deleted');

  expect(it).toMatchObject({ deleted: false, errors: [{ code: 'NOT_FOUND', executed: 'NO' }] });
});

test('deleteLogs deletes the logs of the sandbox and nothing else', async () => {
  await mutate(gateway, 'deleteLogs', { confirm: true });

  expect(await logs()).toEqual([]);
  expect(await ids()).toHaveLength(3);
});

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { mutate } from './mutate.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const group = 'updated hostingGroup { id name description imageUrl }';
const update = (input: object) => mutate(gateway, 'updateHostingGroup', input, group);
const rowOf = async (wanted: string) =>
  ((await gateway.admin('GET', '/hosting-groups')) as readonly { id: string }[]).find(
    ({ id }) => id === wanted,
  );

test('the sandbox has every changed field after one call', async () => {
  const it = await update({
    id: 'hg_demo_1',
    name: 'Büro & Co.',
    description: '',
    imageUrl: 'https://images.example/new.png',
  });

  expect(it.errors).toEqual([]);
  expect(it).toMatchObject({
    updated: true,
    hostingGroup: { id: 'hg_demo_1', name: 'Büro & Co.', description: '' },
  });
  expect(await rowOf('hg_demo_1')).toMatchObject({
    hostingGroupName: 'Büro & Co.',
    hostingGroupDescription: '',
    hostingGroupImage: 'https://images.example/new.png',
  });
  expect(await gateway.countCalls()).toEqual({ 'PATCH /hosting/group/{id}': 1 });
});

test('an absent field is unchanged, and the payload has the values that the upstream returns', async () => {
  const it = await update({ id: 'hg_demo_2', description: 'Now with carts.' });

  expect(it.hostingGroup).toMatchObject({
    name: 'Shops',
    description: 'Now with carts.',
    imageUrl: 'https://images.example/hg_demo_2.png',
  });
  expect(await rowOf('hg_demo_2')).toMatchObject({
    hostingGroupName: 'Shops',
    hostingGroupDescription: 'Now with carts.',
    hostingGroupImage: 'https://images.example/hg_demo_2.png',
  });
});

test('null removes the image and leaves the texts unchanged', async () => {
  const it = await update({
    id: 'hg_demo_3',
    name: 'Old things',
    description: null,
    imageUrl: null,
  });

  expect(it.hostingGroup).toMatchObject({ name: 'Old things', imageUrl: null });
  expect(await rowOf('hg_demo_3')).toMatchObject({
    hostingGroupName: 'Old things',
    hostingGroupDescription: 'Sites that nobody edits any more.',
    hostingGroupImage: '',
  });
});

test.each(['hg_unknown', 'a/b', 'ä b', 'x'.repeat(200)])(
  'an unknown group is NOT_FOUND: %s',
  async (id) => {
    const it = await update({ id, name: 'New' });

    expect(it).toMatchObject({
      updated: false,
      hostingGroup: null,
      errors: [{ __typename: 'NotFound', code: 'NOT_FOUND', executed: 'NO', retryable: false }],
    });
    expect(await gateway.countCalls()).toEqual({ 'PATCH /hosting/group/{id}': 1 });
  },
);

describe('a change of a hosting group is refused before an upstream call:', () => {
  test.each([
    ['a blank name', { id: 'hg_demo_1', name: '  ' }, [['input', 'name']]],
    ['no change', { id: 'hg_demo_1' }, [['input']]],
    ['only nulls', { id: 'hg_demo_1', name: null, description: null }, [['input']]],
    ['an empty id', { id: '', name: 'New' }, [['input', 'id']]],
    ['an id that is another path', { id: '..', name: 'New' }, [['input', 'id']]],
    ['a blank id', { id: ' ', name: 'New' }, [['input', 'id']]],
    [
      'a bad id and a blank name',
      { id: '.', name: '' },
      [
        ['input', 'id'],
        ['input', 'name'],
      ],
    ],
    ['a bad id and no change', { id: '.' }, [['input', 'id'], ['input']]],
  ])('%s', async (_what, input, paths) => {
    const it = await update(input);

    expect(it.hostingGroup).toBeNull();
    expect(it.errors).toMatchObject(
      paths.map((path) => ({ __typename: 'InvalidInput', path, executed: 'NO' })),
    );
    expect(await gateway.countCalls()).toEqual({});
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://images.example/a',
    '//images.example/a.png',
    '/a.png',
    'https://user:secret@images.example/a.png',
    'no address',
    '',
  ])('the image URL %j', async (imageUrl) => {
    const document = `mutation ($url: URL) { updateHostingGroup(input: { id: "hg_demo_1", imageUrl: $url }) { ${group} } }`;
    const { data, errors } = await gateway.query(document, { url: imageUrl });

    expect(data).toBeUndefined();
    expect(errors).toMatchObject([
      {
        message: 'A URL must be an absolute http or https address without credentials.',
        extensions: { code: 'BAD_USER_INPUT', fault: 'INVALID_INPUT', executed: 'NO' },
      },
    ]);
    expect(await gateway.countCalls()).toEqual({});
  });
});

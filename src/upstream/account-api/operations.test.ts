import { describe, expect, test } from 'vitest';
import { accountApi } from './operations.ts';

describe('the id of a created object', () => {
  test.each<[body: unknown, id: string | null]>([
    [{ data: { id: 'a' }, id: 'b' }, 'a'],
    [{ id: 'b' }, 'b'],
    [{ data: null, id: 'b' }, 'b'],
    [{ data: { id: '' }, id: 'b' }, 'b'],
    [{ data: { id: {} }, id: 'b' }, 'b'],
    [{ data: { id: 17 } }, '17'],
    [{ data: 'x', id: 0 }, '0'],
    [{ id: [] }, null],
    [{ data: {} }, null],
    [{}, null],
    [[], null],
    [[1], null],
    [null, null],
    ['id', null],
  ])('in %j is %j', (body, id) => {
    expect(accountApi.createCart.reply(body)).toBe(id);
    expect(accountApi.deleteHostingGroup.reply(body)).toBe(id);
  });
});

describe('a hosting group', () => {
  const read = accountApi.updateHostingGroup.reply;
  const absent = { name: undefined, description: undefined, imageUrl: undefined };

  test.each<[body: unknown, fields: object]>([
    [{ data: { hostingGroupName: 'a' } }, { name: 'a' }],
    [{ hostingGroupName: 'a' }, { name: 'a' }],
    [{ hostingGroupName: 'a', data: { hostingGroupName: 'b' } }, { name: 'b' }],
    [{ hostingGroupName: null }, {}],
    [{ hostingGroupName: '' }, { name: '' }],
    [{ hostingGroupDescription: 'c' }, { description: 'c' }],
    [{ hostingGroupDescription: null }, {}],
    [{ hostingGroupImage: 'https://a.example/b.png' }, { imageUrl: 'https://a.example/b.png' }],
    [{ hostingGroupImage: '' }, { imageUrl: null }],
    [{ hostingGroupImage: null }, { imageUrl: null }],
    // Values that cannot be read.
    [{ hostingGroupName: 7, hostingGroupDescription: [], hostingGroupImage: 7 }, {}],
    [{ hostingGroupImage: 'javascript:alert(1)' }, {}],
    [{ data: 'x' }, {}],
    [{}, {}],
    [[], {}],
    [null, {}],
    ['x', {}],
  ])('in %j has %j', (body, fields) => {
    expect(read(body)).toEqual({ ...absent, ...fields });
  });
});

test.each([['logout'], ['deleteLogs']] as const)('any reply to %s is a success', (name) => {
  for (const body of [null, undefined, '', 'x', [], {}, { data: 1 }]) {
    expect(accountApi[name].reply(body)).toBeNull();
  }
});

import { rm } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';

const folder = await newFolder('features');
afterAll(() => rm(folder, { recursive: true }));

const start = (FEATURES: string) => startTestGateway({ env: { DATA_DIR: folder, FEATURES } });
const feeds = '{ calendarFeeds { id name } }';

test('a gateway without calendar feeds has no field and no path of them, and its journal still has them', async () => {
  const whole = await start('all');
  const { data } = await whole.query(
    'mutation { createCalendarFeed(input: { name: "Mine" }) { feed { id } secretPath } }',
  );
  const { feed, secretPath } = data.createCalendarFeed;
  await whole.close();

  const left = await start('-calendar');
  const refused = await left.query(feeds);
  const { data: found } = await left.query(`{ node(id: "${feed.id}") { id } tlds { totalCount } }`);
  const file = await fetch(left.url + secretPath);
  await left.close();

  expect(refused.errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST' } }]);
  expect(found).toMatchObject({ node: null, tlds: { totalCount: expect.any(Number) } });
  expect([file.status, await file.text()]).toEqual([
    404,
    expect.stringContaining('This path does not exist'),
  ]);

  const again = await start('portfolio,event,calendar');
  expect((await again.query(feeds)).data.calendarFeeds).toEqual([{ id: feed.id, name: 'Mine' }]);
  await again.close();
});

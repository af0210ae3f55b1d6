import { afterAll, expect } from 'vitest';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';

type Options = Parameters<typeof startRecordedGateway>[0];

const priced = new Set(['tldlist', 'checkavailability', 'bulkcheckavailability']);
const dearer = (action: string, body: string): string =>
  priced.has(action)
    ? body.replaceAll(/"(\d+\.\d{2,4})"/g, (_all, price) => `"${(Number(price) * 2).toFixed(4)}"`)
    : body;

/** Without ids, times and durations, which differ between any two gateways. */
const normal = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
    .replaceAll(/"(?:id|requestId|endCursor|startCursor|cursor)":"[^"]+"/g, '"id":"ID"')
    .replaceAll(/"\w*Ms":[\d.]+/g, '"ms":0');

/** Two shops with these settings, whose registrars charge different costs: 11.29 and 22.58 for a .com. */
export async function openWorlds(options: Options) {
  const worlds = await Promise.all([
    startRecordedGateway(options),
    startRecordedGateway(options, () => undefined, dearer),
  ]);
  afterAll(() => Promise.all(worlds.map((world) => world.close())));
  return {
    worlds,
    /** The result in the first shop, which the second one must have too. */
    async inBoth(work: (gateway: (typeof worlds)[number]['gateway']) => Promise<unknown>) {
      const [one, other] = await Promise.all(worlds.map(async ({ gateway }) => work(gateway)));
      expect(normal(other)).toBe(normal(one));
      return one;
    },
  };
}

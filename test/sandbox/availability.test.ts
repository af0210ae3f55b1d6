import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

const check = async (domain: string) =>
  (await sandbox.act('singlecheckavailability', { domain })).body;
const bulk = async (...domains: string[]) =>
  (await sandbox.act('bulkcheckavailability', { domains })).body;

describe('availability checks of the sandbox', () => {
  test('return a free name with the price of its shortest period', async () => {
    expect(await check('Maple-Harbor.COM')).toEqual([
      {
        TLD: 'com',
        DomainName: 'maple-harbor',
        Status: 'available',
        Command: 'create',
        Period: 1,
        IsFee: false,
        Price: '11.2900',
        Currency: 'USD',
        Reason: null,
      },
    ]);
    expect(await check('maple-harbor.co.uk')).toMatchObject([{ TLD: 'co.uk', Price: '5.9000' }]);
    expect(await check('maple-harbor.ai')).toMatchObject([{ Period: 1, Price: '139.8000' }]);
    expect(await check('maple-harbor.com.tr')).toMatchObject([
      { Currency: 'TL', Price: '189.0000' },
    ]);
  });

  test.each(['weather.com', 'outside-shop.net', 'reseller-demo.com', 'others-demo.com'])(
    'return %s as taken, without a price',
    async (name) => {
      expect(await check(name)).toMatchObject([
        { Status: 'notavailable', Reason: 'Domain exists', IsFee: false },
      ]);
    },
  );

  test.each(['example.com', 'nic.dev', 'www.io', 'q.biz'])(
    'return %s as reserved',
    async (name) => {
      expect(await check(name)).toMatchObject([
        { Status: 'notavailable', Reason: 'Domain reserved' },
      ]);
    },
  );

  test('return the same price of its own for a premium name every time', async () => {
    const [first] = await check('casino.com');

    expect(first).toMatchObject({ Status: 'available', IsFee: true, Reason: null });
    expect(Number(first.Price)).toBeGreaterThan(100);
    expect(await check('casino.com')).toEqual([first]);
    expect(await check('z9q.org')).toMatchObject([{ IsFee: true }]);
    expect(await check('z9qq-maple.org')).toMatchObject([{ IsFee: false }]);
  });

  test('return a deleted name as free, but not one that was transferred away', async () => {
    expect(await check('deleted-demo.com')).toMatchObject([{ Status: 'available' }]);
    expect(await check('gone-demo.com')).toMatchObject([{ Status: 'notavailable' }]);
  });

  test.each([
    ['maple.nosuchtld', 'API_320_ERROR'],
    ['maple.museum', 'API_310_ERROR'],
    ['ab.net', 'API_550_ERROR'],
    ['xn--bcher-kva.dev', 'API_570_ERROR'],
    ['-maple.com', 'API_400_ERROR'],
    ['ma--ple.com', 'API_2005_ERROR'],
    ['xn--zzzz.com', 'API_2005_ERROR'],
    ['shop.maple.com', 'API_2005_ERROR'],
    ['maple', 'API_400_ERROR'],
    [`${'a'.repeat(64)}.com`, 'API_400_ERROR'],
    ['bücher.com', 'API_400_ERROR'],
    ['maple.xn--p1ai', 'API_400_ERROR'],
    ['co.uk', 'API_2304_ERROR'],
  ])('refuse %s with %s', async (domain, code) => {
    expect(await sandbox.code('singlecheckavailability', { domain })).toBe(code);
  });

  test('use the sent names as keys in bulk, and fail only the invalid ones', async () => {
    const { status, availability } = await bulk(
      'Maple-Harbor.com',
      'weather.com',
      'maple.nosuchtld',
      'xn--bcher-kva.dev',
      'maple.museum',
      'gateway-maple.com',
      'busy-maple.com',
      'empty-maple.com',
      'maps-maple.com',
      'wrongtypes-maple.com',
      '__proto__',
      'maple.xn--p1ai',
    );

    expect(status).toBe('success');
    expect(availability['Maple-Harbor.com']).toMatchObject([{ Status: 'available' }]);
    expect(availability['weather.com']).toMatchObject([{ Status: 'notavailable' }]);
    expect(availability['maple.nosuchtld'].error.Code).toBe('API_320_ERROR');
    expect(availability['maple.xn--p1ai']).toEqual({
      status: 'error',
      message: 'Invalid domain format.',
    });
    expect(availability['xn--bcher-kva.dev']).toEqual([]);
    expect(availability['maple.museum'].error.Code).toBe('API_310_ERROR');
    expect(availability['gateway-maple.com'].status).toBe('error');
    expect(availability['busy-maple.com'].error.Code).toBe('API_361_ERROR');
    expect(availability).not.toHaveProperty(['empty-maple.com']);
    expect(availability['maps-maple.com']).toEqual([]);
    expect(availability['wrongtypes-maple.com']).toMatchObject([{ Status: 7 }]);
  });
});

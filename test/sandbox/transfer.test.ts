import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { order, startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.close());

const outside = 'Transfer-Code-01';
const transfer = (domain: string, authCode: string | null = outside, period = 1) =>
  sandbox.act('transferdomain', { domain, authCode, period });
const codeOf = async (...sent: Parameters<typeof transfer>) =>
  (await transfer(...sent)).body.error?.Code ?? null;
const days = (from: string, to: string) =>
  Math.round((Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / 86_400_000);
const plain = (text: string) => text.slice(0, 23);

describe('transfers of the sandbox', () => {
  test('complete after five days and add one year', async () => {
    expect((await transfer('outside-maple.com')).body.result).toBe('OK');
    const waiting = await sandbox.details('outside-maple.com');
    expect(waiting.Status).toBe('WaitingForIncomingTransfer');
    expect(await sandbox.balance()).toBe('2489.4100');

    await sandbox.advance(4.9);
    expect((await sandbox.details('outside-maple.com')).Status).toBe('WaitingForIncomingTransfer');
    await sandbox.advance(0.2);

    const arrived = await sandbox.details('outside-maple.com');
    expect(arrived.Status).toBe('Active');
    const gained = days(plain(waiting.Dates.Expiration), plain(arrived.Dates.Expiration));
    expect([365, 366]).toContain(gained);
  });

  test('succeed in both forms: with the domain, and with the bare word', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
    const bodies = await Promise.all(
      names.map(async (name) => (await transfer(`outside-${name}-maple.com`)).body),
    );

    expect(bodies).toContainEqual({ result: 'OK' });
    expect(bodies).toContainEqual({
      result: 'OK',
      data: expect.objectContaining({ ID: 0, Status: 'WaitingForIncomingTransfer' }),
    });
  });

  test('refund the price when they are rejected', async () => {
    await transfer('reject-maple.com');
    expect(await sandbox.balance()).toBe('2489.4100');

    await sandbox.advance(5);

    expect((await sandbox.details('reject-maple.com')).Status).toBe('TransferRejectedFromOpposed');
    expect(await sandbox.balance()).toBe('2500.0000');
  });

  test('move a domain from one account to the other', async () => {
    const { AuthCode } = await sandbox.details('others-demo.com', 'other');

    expect(await codeOf('others-demo.com', AuthCode)).toBeNull();
    expect((await sandbox.details('others-demo.com', 'other')).Status).toBe(
      'WaitingForOutgoingTransfer',
    );
    const fields = { domain: 'others-demo.com', authCode: AuthCode, period: 1 };
    expect(await sandbox.code('transferdomain', fields, 'broke')).toBe('API_582_ERROR');
    await sandbox.advance(5.1);

    expect((await sandbox.details('others-demo.com', 'other')).Status).toBe('TransferredOut');
    expect((await sandbox.details('others-demo.com')).Status).toBe('Active');
    expect(await sandbox.balance('USD', 'other')).toBe('1000.0000');
  });

  test.each([
    ['outside-maple.com', 'wrong', 'API_2303_ERROR'],
    ['not-registered.com', outside, 'API_2303_ERROR'],
    ['deleted-demo.com', outside, 'API_2303_ERROR'],
    ['others-demo.com', 'wrong', 'API_2303_ERROR'],
    ['outside-maple.com', null, 'API_590_ERROR'],
    ['outside-maple.com', '', 'API_590_ERROR'],
    ['locked-maple.com', outside, 'API_592_ERROR'],
    ['others-locked-demo.com', outside, 'API_2304_ERROR'],
    ['fresh-maple.com', outside, 'API_2106_ERROR'],
    ['reseller-demo.com', outside, 'API_2002_ERROR'],
    ['arriving-demo.com', outside, 'API_2300_ERROR'],
    ['outside-maple.tel', outside, 'API_580_ERROR'],
    ['outside-maple.nosuchtld', outside, 'API_320_ERROR'],
    ['outside-maple.travel', outside, 'API_340_ERROR'],
  ])(
    '%s with the code %j is refused with %s, and costs nothing',
    async (domain, code, expected) => {
      expect(await codeOf(domain, code)).toBe(expected);

      expect(await sandbox.balance()).toBe('2500.0000');
    },
  );

  test('refuse a wrong code with trailing blanks in the details, as captured', async () => {
    expect((await transfer('outside-maple.com', 'wrong')).body.error).toEqual({
      Code: 'API_2303_ERROR',
      Message: 'Failed',
      Details: 'There are no additional details  ',
    });
  });

  test('refuse a period that the TLD does not have with 530, and a second request with 2300', async () => {
    expect(await codeOf('outside-maple.de', outside, 2)).toBe('API_530_ERROR');
    expect(await codeOf('outside-maple.com')).toBeNull();
    expect(await codeOf('outside-maple.com')).toBe('API_2300_ERROR');
  });

  test('are refused for 60 days after a registration', async () => {
    await sandbox.act('registerdomain', order('maple-young.com', { eppLock: false }), 'other');
    const { AuthCode } = await sandbox.details('maple-young.com', 'other');

    expect(await codeOf('maple-young.com', AuthCode)).toBe('API_2106_ERROR');
    await sandbox.advance(61);
    expect(await codeOf('maple-young.com', AuthCode)).toBeNull();
  });

  test('are refused with 350 when the balance is too low, and the owner does not change', async () => {
    const { AuthCode } = await sandbox.details('others-demo.com', 'other');
    const fields = { domain: 'others-demo.com', authCode: AuthCode, period: 1 };

    expect(await sandbox.code('transferdomain', fields, 'broke')).toBe('API_350_ERROR');
    expect((await sandbox.details('others-demo.com', 'other')).Status).toBe('Active');
    expect(await sandbox.code('getdetails', fields, 'broke')).toBe('API_510_ERROR');
  });
});

import { describe, expect, test } from 'vitest';
import { dayMs } from '../../src/kernel/instant.ts';
import { startedAt, useTestService } from './service.ts';

const sandbox = useTestService();

const outside = 'Transfer-Code-01';
const fields = (domain: string, authCode: string | null, period = 1) => ({
  domain,
  authCode,
  period,
});
const transfer = (domain: string, authCode: string | null = outside, period = 1) =>
  sandbox.code('transferdomain', fields(domain, authCode, period));
const { ledger } = sandbox;
/** Registers a domain of the account `other` that can be transferred away. Returns its code. */
function othersDomain(domain: string, changes: object = {}): string {
  sandbox.register(domain, { eppLock: false }, 'other');
  sandbox.advanceDays(60);
  sandbox.change(domain, changes);
  return sandbox.details(domain, 'other').AuthCode;
}

describe('a transfer', () => {
  test.each([
    ['outside-maple.com', 1, '10.5900', '2489.4100', 'USD'],
    ['outside-maple.com', 2, '22.0800', '2477.9200', 'USD'],
    ['outside-maple.com', 3, '33.5700', '2466.4300', 'USD'],
    ['outside-maple.org', 3, '35.9700', '2464.0300', 'USD'],
    ['outside-maple.ai', 2, '139.8000', '2360.2000', 'USD'],
    ['outside-maple.co.uk', 1, '0.0000', '2500.0000', 'USD'],
    ['outside-maple.gen.tr', 1, '149.0000', '59851.0000', 'TL'],
  ])('of %s for %i years costs %s and leaves %s %s', (domain, period, price, left, currency) => {
    expect(transfer(domain, outside, period)).toBeNull();

    expect(sandbox.balance(currency)).toBe(left);
    expect(ledger()).toEqual([
      {
        id: expect.any(Number),
        kind: 'transfer',
        domain,
        period,
        price,
        currency,
        at: '2026-03-01T12:00:00.000Z',
        balanceAfter: left,
      },
    ]);
  });

  test('from outside is pending for exactly five days, then adds one year', () => {
    transfer('outside-maple.com', outside, 3);

    const waiting = {
      Status: 'WaitingForIncomingTransfer',
      AuthCode: outside,
      LockStatus: 'false',
      PrivacyProtectionStatus: 'false',
      Additional: [],
      ChildNameServers: [],
      NameServers: ['ns1.outside-dns.net', 'ns2.outside-dns.net'],
      Dates: {
        Start: '2024-09-17T12:00:00.0000000',
        Expiration: '2026-09-17T12:00:00.0000000',
        RemainingDays: 200,
      },
    };
    expect(sandbox.details('outside-maple.com')).toMatchObject(waiting);
    sandbox.advance(5 * dayMs - 1);
    expect(sandbox.details('outside-maple.com').Status).toBe(waiting.Status);
    sandbox.advance(1);

    const { Registrant } = sandbox.details('reseller-demo.com').Contacts;
    expect(sandbox.details('outside-maple.com')).toMatchObject({
      Status: 'Active',
      Contacts: {
        Registrant,
        Administrative: Registrant,
        Billing: Registrant,
        Technical: Registrant,
      },
      Dates: { Start: waiting.Dates.Start, Expiration: '2027-09-17T12:00:00.0000000' },
    });
  });

  test('gives the domain the first contact of the account that receives it', () => {
    sandbox.act('transferdomain', fields('outside-maple.com', outside), 'other');

    const { Registrant } = sandbox.details('others-demo.com', 'other').Contacts;
    const { Contacts } = sandbox.details('outside-maple.com', 'other');
    expect(Contacts.Registrant).toEqual(Registrant);
    expect(Contacts.Registrant).not.toEqual(
      sandbox.details('reseller-demo.com').Contacts.Registrant,
    );
  });

  test.each([
    ['reject-maple.com', 'TransferRejectedFromOpposed', '2500.0000', 'refund'],
    ['cancel-maple.com', 'TransferCancelledFromClient', '2489.4100', 'transfer'],
  ])('of %s ends after five days in the state %s and leaves %s', (domain, status, left, kind) => {
    transfer(domain);
    const { Expiration } = sandbox.details(domain).Dates;
    sandbox.advanceDays(9);

    expect(sandbox.details(domain)).toMatchObject({ Status: status, Dates: { Expiration } });
    expect(sandbox.balance()).toBe(left);
    expect(ledger().at(-1)).toMatchObject({ kind, domain, price: '10.5900', period: 1 });
    expect(ledger().at(-1)?.at).toBe(
      kind === 'refund' ? '2026-03-06T12:00:00.000Z' : '2026-03-01T12:00:00.000Z',
    );
  });

  test('that was rejected can be requested again, and refunds the price of its own request', () => {
    transfer('reject-maple.com', outside, 2);
    transfer('outside-maple.co.uk');
    sandbox.advanceDays(5);
    expect(transfer('reject-maple.com')).toBeNull();
    sandbox.advanceDays(5);
    sandbox.details('reject-maple.com');

    expect(ledger().map(({ kind, price }) => [kind, price])).toEqual([
      ['transfer', '22.0800'],
      ['transfer', '0.0000'],
      ['refund', '22.0800'],
      ['transfer', '10.5900'],
      ['refund', '10.5900'],
    ]);
  });

  test('between accounts takes the data of the domain along, and the loser keeps a record', () => {
    const code = othersDomain('maple-moving.com', { nameServers: ['a.dns.net', 'b.dns.net'] });

    const sent = fields('maple-moving.com', code);
    expect(sandbox.code('transferdomain', sent, 'broke')).toBe('API_350_ERROR');
    expect(sandbox.details('maple-moving.com', 'other').Status).toBe('Active');
    expect(transfer('maple-moving.com', code)).toBeNull();

    expect(sandbox.details('maple-moving.com', 'other').Status).toBe('WaitingForOutgoingTransfer');
    expect(sandbox.details('maple-moving.com')).toMatchObject({
      AuthCode: code,
      NameServers: ['a.dns.net', 'b.dns.net'],
      Dates: { Start: '2026-03-01T12:00:00.0000000', Expiration: '2027-03-01T12:00:00.0000000' },
    });
    sandbox.advanceDays(5);
    expect(sandbox.details('maple-moving.com').Dates.Expiration).toBe(
      '2028-03-01T12:00:00.0000000',
    );
    expect(sandbox.details('maple-moving.com', 'other')).toMatchObject({
      Status: 'TransferredOut',
      Dates: { Expiration: '2027-03-01T12:00:00.0000000' },
    });
    expect(transfer('maple-moving.com', code)).toBe('API_2002_ERROR');
  });

  test.each(['registration', 'transfer'])(
    'is refused with 2106 until exactly 60 days after a %s',
    (origin) => {
      const domain = origin === 'transfer' ? 'outside-maple.com' : 'maple-young.com';
      if (origin === 'transfer') {
        sandbox.act('transferdomain', fields(domain, outside), 'other');
        sandbox.advanceDays(5);
      } else sandbox.register(domain, { eppLock: false }, 'other');
      const { AuthCode } = sandbox.details(domain, 'other');

      sandbox.advance(60 * dayMs - 1);
      expect(transfer(domain, AuthCode)).toBe('API_2106_ERROR');
      sandbox.advance(1);
      expect(transfer(domain, AuthCode)).toBeNull();
    },
  );

  test.each([
    [{ status: 'WaitingForOutgoingTransfer' }, 'API_582_ERROR'],
    [{ status: 'WaitingForIncomingTransfer' }, 'API_582_ERROR'],
    [{ locked: true }, 'API_2304_ERROR'],
    [{ locked: true, authCode: 'another-code' }, 'API_2304_ERROR'],
    [{ authCode: 'another-code', heldSince: startedAt + 59 * dayMs }, 'API_2303_ERROR'],
    [{ status: 'PendingHold' }, 'API_2304_ERROR'],
    [{ status: 'PendingDelete' }, 'API_2304_ERROR'],
    [{ status: 'ModificationPending' }, null],
  ])('of a domain of another account with %j is answered with %s', (changes, code) => {
    const authCode = othersDomain('maple-there.com');
    sandbox.change('maple-there.com', { nextAt: null, ...changes });

    expect(transfer('maple-there.com', authCode)).toBe(code);
    expect(ledger()).toHaveLength(code ? 0 : 1);
  });

  test.each([
    ['outside-maple.com', 'wrong', 1, 'API_2303_ERROR'],
    ['outside-maple.com', null, 1, 'API_590_ERROR'],
    ['outside-maple.com', '', 1, 'API_590_ERROR'],
    ['arriving-demo.com', outside, 1, 'API_2300_ERROR'],
    ['deleted-demo.com', outside, 1, 'API_2303_ERROR'],
    ['fresh-maple.com', 'wrong', 1, 'API_2303_ERROR'],
    ['locked-maple.com', 'wrong', 1, 'API_592_ERROR'],
    ['weather.com', outside, 1, null],
    ['gone-demo.com', outside, 1, null],
    ['gone-demo.com', 'wrong', 1, 'API_2303_ERROR'],
    ['rejected-demo.com', outside, 1, null],
    ['leaving-demo.com', outside, 1, 'API_2002_ERROR'],
    ['redemption-demo.com', outside, 1, 'API_2002_ERROR'],
    ['maple-free.com', outside, 1, 'API_2303_ERROR'],
    ['outside-maple.com', outside, 0, 'API_530_ERROR'],
    ['outside-maple.com', outside, 11, 'API_540_ERROR'],
    ['outside-maple.ai', outside, 3, 'API_340_ERROR'],
    ['outside-maple.ai', outside, 1, 'API_530_ERROR'],
    ['outside-maple.aero', outside, 1, 'API_580_ERROR'],
  ])('of %s with the code %s for %i years is answered with %s', (domain, code, period, answer) => {
    expect(transfer(domain, code, period)).toBe(answer);
    expect(ledger()).toHaveLength(answer ? 0 : 1);
  });

  test('with a wrong code is refused with two blanks after the details, as captured', () => {
    const { error } = sandbox.act('transferdomain', fields('outside-maple.com', 'wrong'));

    expect(error.Details).toBe('There are no additional details  ');
  });

  test('returns the dates of the domain for some names, and the bare word for the others', () => {
    const replies = ['one', 'two', 'three', 'four', 'five', 'six'].map((word) =>
      sandbox.act('transferdomain', fields(`outside-${word}-maple.com`, outside)),
    );

    const data = {
      ID: 0,
      Status: 'WaitingForIncomingTransfer',
      Dates: {
        Start: '2024-09-17T12:00:00.000Z',
        Expiration: '2026-09-17T12:00:00.000Z',
        RemainingDays: 0,
      },
    };
    const [bare, full] = [false, true].map((isFull) =>
      replies.filter((one) => 'data' in one === isFull),
    );
    expect(bare?.every((one) => Object.keys(one).join() === 'result')).toBe(true);
    for (const one of full ?? []) expect(one).toMatchObject({ result: 'OK', data });
    expect([bare?.length, full?.length]).not.toContain(0);
  });
});

import { type DomainName, parseDomainName } from '../../../src/kernel/domain-name.ts';
import { Fault } from '../../../src/kernel/faults.ts';
import { money } from '../../../src/kernel/money.ts';
import type { DomainDetails } from '../../../src/upstream/domain-api/shapes.ts';
import type { TldPrice } from '../../../src/upstream/domain-api/tld-shapes.ts';

export const unreadable = new Fault('UPSTREAM_PROTOCOL');

export const a = parseDomainName('a.com');
export const b = parseDomainName('b.com');
export const c = parseDomainName('c.com');

/** An active domain that expires in 2027. */
export const rowOf = (name: DomainName, changes: Partial<DomainDetails> = {}): DomainDetails =>
  ({
    name,
    status: 'Active',
    state: 'ACTIVE',
    expiresAt: new Date('2027-01-31T12:00:00Z'),
    nameServers: ['ns1.example.net', 'ns2.example.net'],
    transferLocked: true,
    privacyProtected: false,
    ...changes,
  }) as DomainDetails;

/** The reply about the account; an amount that is no decimal cannot be read. */
export const readBalances = (amounts: ReadonlyMap<string, string>) => {
  const balances = [...amounts].map(([currency, amount]) => ({
    money: /^[\d.-]+$/.test(amount) ? money(amount, currency) : unreadable,
    symbol: '',
  }));
  return { balance: { money: unreadable, symbol: '' }, balances };
};

/** `RENEWAL 1 10.0000 USD` as a row of the price list; an amount that is no decimal cannot be read. */
export function readPrice(text: string): TldPrice {
  const [operation = '', period = '', amount = '', currency = ''] = text.split(' ');
  return {
    operation: operation as TldPrice['operation'],
    upstreamOperation: operation.toLowerCase(),
    period: Number(period),
    price: /^[\d.]+$/.test(amount) ? money(amount, currency) : unreadable,
  };
}

export const unlocked = { transferLocked: false };
export const locked = { transferLocked: true };
export const unlocking = (name: string) => ['TRANSFER_UNLOCKED', name, 'true', 'false'];
export const locking = (name: string) => ['TRANSFER_LOCKED', name, 'false', 'true'];

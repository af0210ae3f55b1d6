import { type DomainName, parseDomainName } from '../../../src/kernel/domain-name.ts';
import { Fault } from '../../../src/kernel/faults.ts';
import type { DomainDetails } from '../../../src/upstream/domain-api/shapes.ts';

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

export const unlocked = { transferLocked: false };
export const locked = { transferLocked: true };
export const unlocking = (name: string) => ['TRANSFER_UNLOCKED', name, 'true', 'false'];
export const locking = (name: string) => ['TRANSFER_LOCKED', name, 'false', 'true'];

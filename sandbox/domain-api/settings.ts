import { isIP } from 'node:net';
import { type DomainName, isWithin } from '../../src/kernel/domain-name.ts';
import { isPublicUnicast } from '../../src/lib/addresses.ts';
import { tldAbove } from '../service/catalogue.ts';
import type { Glue } from '../service/store.ts';
import { hasDelayedGlue, hasTerseReplies } from '../service/world.ts';
import { Refusal, write } from './action.ts';
import { flag, optionalText, text, texts } from './fields.ts';
import { type CatalogueOffer, changeableDomain, named, readName } from './names.ts';

/**
 * Host names without duplicates.
 *
 * @throws Refusal 561 for none, 560 for too few or too many, 2005 for one that is no name, and `absentCode` for a host
 * under the domain itself that has no address.
 */
export function readHosts(
  texts: readonly string[],
  { name, tld }: Pick<CatalogueOffer, 'name' | 'tld'>,
  glue: readonly Glue[],
  absentCode: 2003 | 2303,
): readonly string[] {
  const given = texts.filter((text) => text.trim() !== '');
  if (given.length === 0) throw new Refusal(561);
  const hosts = [...new Set(given.map(readName))];
  const { min, max } = tld.nameServers;
  if (hosts.length < min || hosts.length > max) {
    throw new Refusal(560, `Name server count must be between ${min} and ${max}.`);
  }
  const bare = hosts.find((host) => isWithin(host, name) && !glue.some(({ ns }) => ns === host));
  if (bare) throw new Refusal(absentCode, `Object does not exist; host ${bare} has no address  `);
  return hosts;
}

/** Takes an object with any keys, or an array; the keys mean nothing, the order of the hosts stays. */
export const modifyNameServer = write(
  named.extend({ nameservers: texts }),
  ({ domain, nameservers }, context) => {
    const record = changeableDomain(context, domain);
    const tld = tldAbove(record.name);
    if (!tld) throw new Refusal(320);
    const offer = { name: record.name as DomainName, tld };
    const hosts = readHosts(nameservers, offer, record.glue, 2303);
    context.service.store.domains.save({ ...record, nameServers: hosts });
    return { data: { NameServers: hosts }, result: 'OK' };
  },
);

/** How long a new host of a domain with delayed glue stays out of `getdetails`. */
const glueDelayMs = 5_000;

/** One host under the domain with its one address. @throws Refusal 2303 outside the domain, 2302, 2004, 2005. */
export const addChildNameServer = write(
  named.extend({ nameServer: text, ipAddress: text }),
  ({ domain, nameServer, ipAddress }, context) => {
    const host = readName(nameServer);
    const { domains } = context.service.store;
    const parent = readName(domain);
    if (!domains.find(context.reseller.id, parent)) throw new Refusal(2303);
    const record = changeableDomain(context, domain);
    if (host === parent || !isWithin(host, parent)) throw new Refusal(2303);
    const ip = ipAddress.trim();
    // Node takes a zone such as `%eth0` for a part of an address; the registry does not.
    if (isIP(ip) === 0 || ip.includes('%'))
      throw new Refusal(2005, `Parameter value syntax error; (${ip}) is not an ip  `);
    if (!isPublicUnicast(ip)) {
      throw new Refusal(2004, `Parameter value range error; (${ip}) is not a valid, public ip  `);
    }
    if (record.glue.some(({ ns }) => ns === host)) throw new Refusal(2302);
    const visibleAt = context.service.clock.nowMs() + glueDelayMs;
    const glue = { ns: host, ip, ...(hasDelayedGlue(parent) && { visibleAt }) };
    domains.save({ ...record, glue: [...record.glue, glue] });
    return { data: { NameServer: host, IPAdresses: [ip] }, result: 'OK' };
  },
);

/** Takes the transfer lock off; there is no action that sets it again. */
export const disableTheftLock = write(named, ({ domain }, context) => {
  const record = changeableDomain(context, domain);
  const registryStatus =
    record.registryStatus === 'clientTransferProhibited' ? null : record.registryStatus;
  context.service.store.domains.save({ ...record, locked: false, registryStatus });
  return { data: { LockStatus: false }, result: 'OK' };
});

/** The reply has the new state, and for some names nothing: both forms are seen. */
export const modifyPrivacyStatus = write(
  named.extend({ status: flag, reason: optionalText }),
  ({ domain, status }, context) => {
    const record = changeableDomain(context, domain);
    context.service.store.domains.save({ ...record, privacy: status });
    return hasTerseReplies(record.name)
      ? {}
      : { data: { PrivacyProtectionStatus: status }, result: 'OK' };
  },
);

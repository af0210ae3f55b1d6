import { isIP } from 'node:net';
import { isSameHosts, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault, type FieldResult } from '../../kernel/faults.ts';
import { perRequest } from '../../scope/scope.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { ChildNameServer, DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { domainWrites, recorded, setOn, shownIf, type WriteDeps } from '../domain/write.ts';
import { asPayload, checkDomain, createChecks } from '../mutation/checks.ts';
import {
  addChildNameServerFields,
  checkNameServers,
  childOf,
  isSameAddress,
  publicAddress,
  setNameServersFields,
} from './rules.ts';

export const createNameServerService = (deps: WriteDeps) => ({
  set: (input: { domain: string; nameServers: readonly string[] }) =>
    asPayload(async () => {
      const checks = createChecks();
      const domain = checkDomain(checks, input.domain);
      const distinct = checkNameServers(checks, input.nameServers);
      if (domain === null || checks.faults.length > 0) throw checks.problems();
      const nameservers = Object.fromEntries(distinct.map((host, at) => [`ns${at + 1}`, host]));
      const change = {
        field: 'nameServers' as const,
        value: distinct.join(' '),
        shown: (hosts: readonly string[]) => hosts.join(' '),
      };
      const now = await recorded(deps, domain, change, () =>
        setOn<readonly string[]>(deps, {
          domain,
          send: async (options) =>
            (await deps.api.modifynameserver({ domain, nameservers }, options)) ?? distinct,
          shown: ({ nameServers }) => shownIf(nameServers, (hosts) => isSameHosts(hosts, distinct)),
        }),
      );
      return { domain, nameServers: now };
    }, setNameServersFields),

  /** Adds one host with one address, since the upstream takes one per call. An existing equal host is a success. */
  addChild: (input: { domain: string; nameServer: string; ipAddress: string }) =>
    asPayload(async () => {
      const checks = createChecks();
      const domain = checkDomain(checks, input.domain);
      const nameServer = checks.check(['input', 'nameServer'], () => {
        const host = parseDomainName(input.nameServer);
        return domain === null ? host : childOf(host, domain);
      });
      const ipAddress = checks.check(['input', 'ipAddress'], () => publicAddress(input.ipAddress));
      if (domain === null || nameServer === null || ipAddress === null) throw checks.problems();
      const request = { domain, nameServer, ipAddress };
      const shown = (details: DomainDetails) => existingChild(details, request);
      const send = async (options: CallOptions): Promise<ChildNameServer> => {
        const { host, addresses } = await deps.api.addchildnameserver(request, options);
        return {
          host: host ?? nameServer,
          addresses: addresses.length > 0 ? addresses : [ipAddress],
        };
      };
      try {
        return { domain, childNameServer: await setOn(deps, { domain, send, shown }) };
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'ALREADY_EXISTS') throw error;
        const details = await deps.domains.verify(domain).catch(() => null);
        const childNameServer = details && existingChild(details, request, error);
        if (childNameServer === null || childNameServer instanceof Fault) throw error;
        return { domain, childNameServer };
      }
    }, addChildNameServerFields),
});

/**
 * The existing host under the domain, when it has the requested address; null when there is no such host.
 *
 * @throws Fault `ALREADY_EXISTS` when it has another address, which this call cannot have set.
 */
function existingChild(
  { childNameServers }: DomainDetails,
  { nameServer, ipAddress }: { readonly nameServer: string; readonly ipAddress: string },
  refusal = new Fault('ALREADY_EXISTS'),
): FieldResult<ChildNameServer | null> {
  if (childNameServers instanceof Fault) return childNameServers;
  const child = childNameServers.find(({ host }) => host === nameServer);
  if (!child) return null;
  if (child.addresses.some((address) => isSameAddress(address, ipAddress))) return child;
  const others = child.addresses.filter((address) => isIP(address) !== 0);
  if (others.length === 0) return new Fault('UPSTREAM_PROTOCOL', { executed: 'NO' });
  throw refusal.with({
    message: `${nameServer} exists already, with the address ${others.join(', ')}; the registrar cannot change it.`,
    path: ['input', 'ipAddress'],
  });
}

export const nameServers = perRequest('nameServers', ({ use }) =>
  createNameServerService(use(domainWrites)),
);

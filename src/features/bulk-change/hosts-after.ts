import { type DomainName, isSameHosts } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { maxNameServers } from '../../modules/name-server/rules.ts';

/** A change of one of the name servers of a domain. The others stay. */
export type HostDifference =
  | { readonly replaceNameServer: { readonly from: DomainName; readonly to: DomainName } }
  | { readonly addNameServer: DomainName }
  | { readonly removeNameServer: DomainName };

/**
 * The name servers after a change, in their order. A domain that has them already has the same name servers.
 *
 * @param hosts in canonical form
 * @throws Fault `NOT_ELIGIBLE` for a change that leaves no name server, or too many, for a replacement that leaves one of several,
 * and for an empty list, which a registrar also sends when it does not have the name servers
 */
export function hostsAfter(change: HostDifference, hosts: readonly string[]): readonly string[] {
  if (hosts.length === 0) throw notListed;
  const after = [...new Set(changed(change, hosts))];
  if (isSameHosts(after, hosts)) return hosts;
  // Many TLDs require two, and a replacement is no wish to have one.
  const isFewer = 'replaceNameServer' in change && after.length < hosts.length;
  const minimum = isFewer ? 2 : 1;
  if (after.length >= minimum && after.length <= maxNameServers) return after;
  throw new Fault('NOT_ELIGIBLE', {
    message: isFewer
      ? 'The domain would have one name server, because it has the new one already; nothing was sent for it. "removeNameServer" removes the old one.'
      : `The domain would have ${after.length} name servers, and a domain has 1 to ${maxNameServers}; nothing was sent for it.`,
    facts: { minimum, maximum: maxNameServers },
  });
}

const notListed = new Fault('NOT_ELIGIBLE', {
  message:
    'The registrar returned an empty list of name servers, so the result of the change is not known; nothing was sent for it. "setNameServers" sets the whole list.',
});

function changed(change: HostDifference, hosts: readonly string[]): readonly string[] {
  if ('addNameServer' in change) return [...hosts, change.addNameServer];
  if ('removeNameServer' in change) return hosts.filter((host) => host !== change.removeNameServer);
  const { from, to } = change.replaceNameServer;
  return hosts.includes(to) && from !== to
    ? hosts.filter((host) => host !== from)
    : hosts.map((host) => (host === from ? to : host));
}

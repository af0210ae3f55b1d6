import type { DomainName } from '../../kernel/domain-name.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import { attempt, createChecks } from '../problems.ts';
import { checkNameServers } from '../registration/order-checks.ts';
import { childOf, publicAddress } from './rules.ts';

export interface WriteDeps {
  readonly api: DomainApi;
  readonly options: CallOptions;
  readonly forget: (name: DomainName) => void;
}

/** Sends one write about a domain; what is read of that domain afterwards is read anew, also when the write failed. */
export async function writeTo<T>(
  { forget }: WriteDeps,
  domain: DomainName,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } finally {
    forget(domain);
  }
}

export const createNameServerService = (deps: WriteDeps) => ({
  /** Replaces the whole set. */
  set: ({ domain, nameServers }: { domain: DomainName; nameServers: readonly DomainName[] }) =>
    attempt(async () => {
      const checks = createChecks();
      const distinct = checkNameServers(checks, nameServers);
      checks.finish();
      const nameservers = Object.fromEntries(distinct.map((host, at) => [`ns${at + 1}`, host]));
      const now = await writeTo(deps, domain, () =>
        deps.api.modifynameserver({ domain, nameservers }, deps.options),
      );
      return { domain, nameServers: now ?? distinct };
    }),

  /** Adds one host with one address: the service takes one per call. */
  addChild: (input: { domain: DomainName; nameServer: DomainName; ipAddress: string }) =>
    attempt(async () => {
      const { domain } = input;
      const checks = createChecks();
      const nameServer = checks.check(['input', 'nameServer'], () =>
        childOf(input.nameServer, domain),
      );
      const ipAddress = checks.check(['input', 'ipAddress'], () => publicAddress(input.ipAddress));
      checks.finish();
      const request = { domain, nameServer: nameServer ?? '', ipAddress: ipAddress ?? '' };
      const { host, addresses } = await writeTo(deps, domain, () =>
        deps.api.addchildnameserver(request, deps.options),
      );
      const child = {
        host: host ?? request.nameServer,
        addresses: addresses.length > 0 ? addresses : [request.ipAddress],
      };
      return { domain, childNameServer: child };
    }),
});

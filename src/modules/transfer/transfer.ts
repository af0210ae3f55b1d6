import { type DomainName, tryParseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { listPaysFrom } from '../../kernel/upstream-calls.ts';
import type { Reads } from '../../scope/reads.ts';
import { availabilityReads } from '../availability/loader.ts';
import { domainLists, domainReads } from '../domain/loader.ts';
import { type Checks, checkDomain } from '../mutation/checks.ts';
import { checkTld, type Priced, type PurchaseGuards, readFor } from '../purchase/checks.ts';
import type { PreparedPurchase, PurchaseOperation } from '../purchase/flow.ts';
import { obstacleIn } from '../purchase/ownership.ts';
import { pricing } from '../quote/quotes.ts';

/** The input of `transferDomain`, with the name in any spelling. */
export interface TransferInput extends PurchaseGuards {
  readonly domain: string;
  /** Default: the shortest listed period. */
  readonly period?: number | null | undefined;
  readonly authCode: string;
}

/** Transfers a domain into the account. */
export const transferOperation: PurchaseOperation<TransferInput> = {
  kind: 'TRANSFER',
  identify: (input) => ({ ...input, domain: tryParseDomainName(input.domain) }),
  prepare: prepareTransfer,
};

/** Makes the checks of a transfer that need no read. */
export function prepareTransfer(checks: Checks, input: TransferInput): PreparedPurchase {
  const { period } = input;
  const authCode = checkAuthCode(checks, input);
  return {
    domain: checkDomain(checks, input.domain),
    input,
    check: (reads, domain) => checkTransfer(checks, reads, { domain, period }),
    send: (api, { domain, period: years }, options) =>
      api.transferdomain({ domain, authCode, period: years }, options),
  };
}

/** The trimmed auth code, which must not be empty. */
export function checkAuthCode(checks: Checks, { authCode }: Pick<TransferInput, 'authCode'>) {
  const code = authCode.trim();
  if (code === '') checks.add(new Fault('AUTH_CODE_REQUIRED', { path: ['input', 'authCode'] }));
  return code;
}

/** Reads what the checks of so many transfers share: one list from a number of them on. */
export function shareReads(reads: Reads, transfers: number): void {
  if (transfers >= listPaysFrom)
    reads
      .use(domainLists)
      .list()
      .catch(() => undefined);
}

/**
 * The checks of a transfer that read the upstream. `mayReadOwned` allows a call for a name that a shared list leaves out. Each name
 * is read once more before it is sent.
 */
export async function checkTransfer(
  checks: Checks,
  reads: Reads,
  { domain, period = null }: Pick<TransferInput, 'period'> & { readonly domain: DomainName },
  mayReadOwned = () => false,
): Promise<Priced> {
  const [tld, owned, { state }] = await Promise.all([
    checkTld(checks, reads, domain, { operation: 'TRANSFER', period }),
    readFor(checks, reads.use(domainReads).loadListed(domain, mayReadOwned)),
    reads.use(availabilityReads).load(domain),
  ]);
  const path = ['input', 'domain'];
  const obstacle = obstacleIn(owned ?? null, 'TRANSFER');
  if (obstacle) checks.add(new Fault(obstacle, { path }));
  // A check that fails proves nothing, and the registry refuses the transfer itself.
  else if (state === 'AVAILABLE') checks.add(unregistered(domain, path));
  return { tld, premium: null, quote: tld && reads.use(pricing).ofTld(tld, 'TRANSFER', period) };
}

const unregistered = (domain: DomainName, path: readonly string[]) =>
  new Fault('AUTH_CODE_INVALID', {
    message: `${domain} is not registered, so it cannot be transferred; register it instead.`,
    path,
  });

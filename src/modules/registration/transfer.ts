import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { checkDomain } from '../mutation/checks.ts';
import { obstacleIn } from '../purchase/ownership.ts';
import { quoteTld } from '../quote/quote.ts';
import { checkTld, type PurchaseGuards, readFor } from './checks.ts';
import type { PurchaseOperation } from './purchase-flow.ts';

/** The input of `transferDomain`, with the name in any spelling. */
export interface TransferInput extends PurchaseGuards {
  readonly domain: string;
  readonly period: number;
  readonly authCode: string;
}

interface CanonicalInput extends Omit<TransferInput, 'domain'> {
  readonly domain: DomainName | null;
}

type TransferRequest = Pick<TransferInput, 'authCode' | 'period'>;

/** Transfers a domain into the account. */
export const transferOperation: PurchaseOperation<TransferInput, CanonicalInput, TransferRequest> =
  {
    kind: 'TRANSFER',
    prepare(checks, rawInput) {
      const input = { ...rawInput, domain: checkDomain(checks, rawInput.domain) };
      const authCode = input.authCode.trim();
      if (authCode === '') {
        checks.add(new Fault('AUTH_CODE_REQUIRED', { path: ['input', 'authCode'] }));
      }
      return { input, request: { authCode, period: input.period } };
    },
    async check(checks, reads, { domain, period }) {
      const path = ['input', 'domain'];
      const [tld, owned] = await Promise.all([
        checkTld(checks, reads, domain, period),
        readFor(checks, path, reads.domains.load(domain)),
      ]);
      const obstacle = obstacleIn(owned, 'TRANSFER');
      if (obstacle) checks.add(new Fault(obstacle, { path }));
      return { tld, quote: tld && quoteTld(tld, 'TRANSFER', period) };
    },
    send: (api, request, options) => api.transferdomain(request, options),
  };

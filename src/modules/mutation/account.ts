import { Fault } from '../../kernel/faults.ts';
import type { AccountApi, AccountCallOptions } from '../../upstream/account-api/client.ts';

/** Dependencies of the mutations that call the Account API. */
export interface AccountDeps {
  readonly api: AccountApi;
  /** Options with the client's own token. @throws Fault `UNAUTHENTICATED` without one. */
  readonly callOptions: () => AccountCallOptions;
}

/** @throws Fault `CONFIRMATION_REQUIRED` unless `confirm` is true. */
export function assertConfirmed({ confirm }: { confirm: boolean }): void {
  if (!confirm) throw new Fault('CONFIRMATION_REQUIRED', { path: ['input', 'confirm'] });
}

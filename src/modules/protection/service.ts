import { Fault } from '../../kernel/faults.ts';
import { perRequest } from '../../scope/scope.ts';
import { domainWrites, recorded, setOn, shownIf, type WriteDeps } from '../domain/write.ts';
import { asPayload, domainOf } from '../mutation/checks.ts';
import type { Gate } from '../mutation/gate.ts';
import { domainFields } from '../mutation/refused-fields.ts';

export const createProtectionService = (deps: WriteDeps) => ({
  disableTransferLock: (input: { domain: string }, gate: Pick<Gate, 'require'>) =>
    asPayload(async () => {
      const domain = domainOf(input);
      await gate.require({
        operation: 'UNLOCK',
        domain,
        async check() {
          if ((await deps.domains.load(domain)) === null) throw new Fault('NOT_FOUND');
        },
      });
      const change = { field: 'transferLocked', value: 'false', shown: String } as const;
      const transferLocked = await recorded(deps, domain, change, () =>
        setOn<boolean>(deps, {
          domain,
          send: async (options) =>
            (await deps.api.disabletheftlock({ domain }, options)).locked ?? false,
          shown: (details) => shownIf(details.transferLocked, (locked) => !locked),
        }),
      );
      return { domain, transferLocked };
    }, domainFields),

  setPrivacy: (input: {
    domain: string;
    privacyProtected: boolean;
    reason?: string | null | undefined;
  }) =>
    asPayload(async () => {
      const { privacyProtected: wanted, reason } = input;
      const domain = domainOf(input);
      const request = { domain, status: wanted, ...(reason && { reason }) };
      const change = { field: 'privacyProtected', value: String(wanted), shown: String } as const;
      const privacyProtected = await recorded(deps, domain, change, () =>
        setOn<boolean>(deps, {
          domain,
          send: async (options) =>
            (await deps.api.modifyprivacystatus(request, options)).enabled ?? wanted,
          shown: (details) => shownIf(details.privacyProtected, (now) => now === wanted),
        }),
      );
      return { domain, privacyProtected };
    }, domainFields),
});

export const protection = perRequest('protection', ({ use }) =>
  createProtectionService(use(domainWrites)),
);

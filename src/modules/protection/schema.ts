import type { DomainName } from '../../kernel/domain-name.ts';
import { DomainInputRef, domainField } from '../../schema/arguments.ts';
import { nullableFields, optionalInputs, requiredInputs } from '../../schema/fields.ts';
import { costsWrite, lostAnswer, writtenDomain } from '../domain/schema.ts';
import { gate } from '../mutation/gate.ts';
import { mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';
import { protection } from './service.ts';

mutation('disableTransferLock', {
  needs: 'domains:unlock',
  description: `Removes the transfer lock. This cannot be undone here, because the registrar has no call that sets the lock. Sends one \`disabletheftlock\`. Where the operator requires another step first, it sends one \`getdetails\`, and the error names that step; after it the same request is sent once. ${lostAnswer}`,
  extensions: costsWrite,
  input: { type: DomainInputRef, argument: 'The domain to unlock.' },
  result: 'Result of removing the transfer lock.',
  payload: (t: PayloadFieldBuilder<{ domain: DomainName; transferLocked: boolean }>) => ({
    domain: writtenDomain(t),
    ...nullableFields(t, 'Boolean', {
      transferLocked:
        'The lock as the registrar reports it; null when it was not removed or the outcome is unknown.',
    }),
  }),
  resolve: (input, { use }) => use(protection).disableTransferLock(input, use(gate)),
});

mutation('setPrivacyProtection', {
  needs: 'domains:write',
  description: `Turns privacy protection on or off. Sends one \`modifyprivacystatus\`. ${lostAnswer}`,
  extensions: costsWrite,
  input: {
    argument: 'The domain, and whether protection is to be on or off.',
    description: 'Whether to hide the contacts of a domain from the public.',
    fields: (t) => ({
      domain: domainField(t, 'A domain of the account'),
      ...requiredInputs(t, 'Boolean', {
        privacyProtected: 'True turns protection on, false turns it off.',
      }),
      ...optionalInputs(t, 'String', { reason: 'A comment for the registrar.' }),
    }),
  },
  result: 'Result of a change of privacy protection.',
  payload: (t: PayloadFieldBuilder<{ domain: DomainName; privacyProtected: boolean }>) => ({
    domain: writtenDomain(t),
    ...nullableFields(t, 'Boolean', {
      privacyProtected:
        'The protection as the registrar reports it, or as requested when it reports nothing; null when the change failed or its outcome is unknown.',
    }),
  }),
  resolve: (input, { use }) => use(protection).setPrivacy(input),
});

import type { DomainName } from '../../kernel/domain-name.ts';
import { domainField, inputArg } from '../../schema/arguments.ts';
import { builder, needs } from '../../schema/builder.ts';
import { nullableFields } from '../../schema/member-fields.ts';
import { type Answer, payloadRef } from '../../schema/payload.ts';
import { costsWrite, lostAnswer, writtenDomain } from '../domain/schema.ts';

interface WriteAnswer extends Answer {
  readonly domain?: DomainName;
}

const DisableTransferLockPayloadRef = payloadRef<WriteAnswer & { transferLocked?: boolean }>(
  'DisableTransferLockPayload',
  'Result of removing the transfer lock.',
  (t) => ({
    domain: writtenDomain(t),
    ...nullableFields(t, 'Boolean', {
      transferLocked:
        'The lock as the registrar reports it; null when it was not removed or the outcome is unknown.',
    }),
  }),
);

const DisableTransferLockInputRef = builder.inputType('DisableTransferLockInput', {
  description: 'The domain to unlock.',
  fields: (t) => ({
    domain: domainField(t, 'A domain of the account'),
  }),
});

const SetPrivacyProtectionPayloadRef = payloadRef<WriteAnswer & { privacyProtected?: boolean }>(
  'SetPrivacyProtectionPayload',
  'Result of a change of privacy protection.',
  (t) => ({
    domain: writtenDomain(t),
    ...nullableFields(t, 'Boolean', {
      privacyProtected:
        'The protection as the registrar reports it, or as requested when it reports nothing; null when the change failed or its outcome is unknown.',
    }),
  }),
);

const SetPrivacyProtectionInputRef = builder.inputType('SetPrivacyProtectionInput', {
  description: 'Whether to hide the contacts of a domain from the public.',
  fields: (t) => ({
    domain: domainField(t, 'A domain of the account'),
    enabled: t.boolean({
      required: true,
      description: 'True turns protection on, false turns it off.',
    }),
    reason: t.string({ description: 'A comment for the registrar.' }),
  }),
});

builder.mutationFields((t) => ({
  disableTransferLock: t.field({
    ...needs('domains:unlock'),
    type: DisableTransferLockPayloadRef,
    nullable: false,
    description: `Removes the transfer lock. This cannot be undone here, because the registrar has no call that sets the lock. Sends one \`disabletheftlock\`. ${lostAnswer}`,
    args: inputArg(t, DisableTransferLockInputRef, 'The domain to unlock.'),
    extensions: costsWrite(1),
    resolve: (_root, { input }, { services }) => services.protection.disableTransferLock(input),
  }),
  setPrivacyProtection: t.field({
    ...needs('domains:write'),
    type: SetPrivacyProtectionPayloadRef,
    nullable: false,
    description: `Turns privacy protection on or off. Sends one \`modifyprivacystatus\`. ${lostAnswer}`,
    args: inputArg(
      t,
      SetPrivacyProtectionInputRef,
      'The domain, and whether protection is to be on or off.',
    ),
    extensions: costsWrite(1),
    resolve: (_root, { input }, { services }) => services.protection.setPrivacy(input),
  }),
}));

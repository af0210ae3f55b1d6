import type { DomainName } from '../../kernel/domain-name.ts';
import { builder, needs } from '../../schema/builder.ts';
import { domainField } from '../../schema/domain-name.ts';
import { type Answer, payloadRef } from '../../schema/payload.ts';
import { costsWrite, lostAnswer, writtenDomain } from '../domain/schema.ts';

interface WriteAnswer extends Answer {
  readonly domain?: DomainName;
}

const DisableTransferLockPayloadRef = payloadRef<WriteAnswer & { transferLocked?: boolean }>(
  'DisableTransferLockPayload',
  'What became of an unlocking.',
  (t) => ({
    domain: writtenDomain(t),
    transferLocked: t.boolean({
      description: 'The lock as the service reports it; null when it is not known to be off.',
      resolve: ({ transferLocked }) => transferLocked ?? null,
    }),
  }),
);

const DisableTransferLockInputRef = builder.inputType('DisableTransferLockInput', {
  description: 'Which domain to unlock.',
  fields: (t) => ({
    domain: domainField(t, 'A domain of the account'),
  }),
});

const SetPrivacyProtectionPayloadRef = payloadRef<WriteAnswer & { privacyProtected?: boolean }>(
  'SetPrivacyProtectionPayload',
  'What became of a change of privacy protection.',
  (t) => ({
    domain: writtenDomain(t),
    privacyProtected: t.boolean({
      description:
        'The protection as the service reports it, or as asked when it reports nothing; null when it is not known to have been set.',
      resolve: ({ privacyProtected }) => privacyProtected ?? null,
    }),
  }),
);

const SetPrivacyProtectionInputRef = builder.inputType('SetPrivacyProtectionInput', {
  description: 'Whether to hide the contacts of a domain from the public.',
  fields: (t) => ({
    domain: domainField(t, 'A domain of the account'),
    enabled: t.boolean({ required: true, description: 'On or off.' }),
    reason: t.string({ description: 'A free comment to the service.' }),
  }),
});

builder.mutationFields((t) => ({
  disableTransferLock: t.field({
    ...needs('domains:unlock'),
    type: DisableTransferLockPayloadRef,
    nullable: false,
    description: `Removes the transfer lock. It can't be undone here: the service has no call that sets the lock again. Sends one \`disabletheftlock\`. ${lostAnswer}`,
    args: {
      input: t.arg({
        type: DisableTransferLockInputRef,
        required: true,
        description: 'Which domain.',
      }),
    },
    extensions: costsWrite(1),
    resolve: (_root, { input }, { services }) => services.protection.disableTransferLock(input),
  }),
  setPrivacyProtection: t.field({
    ...needs('domains:write'),
    type: SetPrivacyProtectionPayloadRef,
    nullable: false,
    description: `Turns privacy protection on or off. Sends one \`modifyprivacystatus\`. ${lostAnswer}`,
    args: {
      input: t.arg({
        type: SetPrivacyProtectionInputRef,
        required: true,
        description: 'Which way.',
      }),
    },
    extensions: costsWrite(1),
    resolve: (_root, { input }, { services }) => services.protection.setPrivacy(input),
  }),
}));

import { mutation, type PayloadFieldBuilder } from '../../modules/mutation/schema.ts';
import { nullableFields } from '../../schema/fields.ts';
import { trackedDomains } from './service.ts';

mutation('trackDomains', {
  needs: 'domains:write',
  ofAccount: true,
  description:
    "Adds domains of the account that the registrar's list leaves out, so that `domains` and `domainStats` have them. Calls: none: the gateway reads each domain by `getdetails` in the background, up to ten times `PORTFOLIO_READS_PER_MINUTE` per minute: 1,000 domains take four minutes by default. Domains that the gateway listed or bought are known already. A name that the account does not have is removed when it is read.",
  extensions: {
    // Up to 10,000 names would be too many entries.
    recordedDomains: ({ names }: { readonly names: readonly string[] }) =>
      names.length === 1 ? names : [],
  },
  input: {
    description: 'Domains of the account.',
    fields: (t) => ({
      names: t.stringList({
        required: true,
        description: '1 to 10,000 domain names in any spelling.',
      }),
    }),
  },
  result: 'Result of adding domains.',
  payload: (t: PayloadFieldBuilder<{ added: number; alreadyKnown: number }>) => ({
    ...nullableFields(t, 'Int', {
      added: 'Number of domains that were added; null when none was, because of an error.',
      alreadyKnown: 'Number of domains that the gateway knew before; null after an error.',
    }),
  }),
  resolve: (input, { use }) => use(trackedDomains).track(input),
});

import type { Feature } from '../../seam/feature.ts';
import { profileSettings } from './settings.ts';
import { contactProfilesTable, purchaseDefaultsTable } from './table.ts';

declare module '../../lib/programs.ts' {
  interface FeatureCommands {
    readonly profiles: true;
  }
}

/** Contacts with a name, and what a registration has where its input leaves something out. */
export const contactProfile: Feature = {
  name: 'contact-profile',
  uses: [],
  settings: profileSettings,
  tables: [contactProfilesTable, purchaseDefaultsTable],
  rootFields: {
    Query: ['contactProfiles', 'purchaseDefaults'],
    Mutation: ['saveContactProfile', 'deleteContactProfile', 'setDefaults'],
  },
  after: { Query: 'domainsByName', Mutation: 'labelDomains' },
  nodes: ['ContactProfile'],
  fields: ['ContactChoiceInput.profile'],
  graph: () => import('./schema.ts'),
  parts: () => import('./values.ts'),
  commands: {
    profiles: {
      does: 'Saves contact profiles from a file.',
      run: async (context) => (await import('./import-profiles.ts')).runProfiles(context),
    },
  },
};

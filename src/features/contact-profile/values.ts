import type { Caller } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import { keyOfId } from '../../kernel/ids.ts';
import type { ContactInput } from '../../modules/contact/contact-input.ts';
import { type ValueStore, valueStore } from '../../modules/purchase/registration-values.ts';
import { fill } from '../../scope/parts.ts';
import type { OpenFeature } from '../../seam/feature.ts';
import { type ContactProfile, type ProfileStore, profileStore } from './store.ts';

declare module '../../modules/purchase/registration-values.ts' {
  interface ContactChoice {
    /** The global id of a profile. */
    readonly profile?: string | null | undefined;
  }
}

const profileType = 'ContactProfile';

/** Whether a caller sees a profile. One that is bound to a customer sees those of this customer. */
export const seesProfile = (
  { customer }: Pick<Caller, 'customer'>,
  profile: Pick<ContactProfile, 'customer'>,
): boolean => customer === null || profile.customer === customer;

/** The contact of a profile. @throws Fault when it cannot be decrypted */
export function contactOfProfile({ contact }: Pick<ContactProfile, 'contact'>): ContactInput {
  if (contact instanceof Fault) throw contact;
  return JSON.parse(contact);
}

/** Each read is one statement, and none without a profile that a choice names. */
const createValueStore = (store: ProfileStore, account: string, caller: Caller): ValueStore => ({
  async contactsOf(choices) {
    const ids = choices.flatMap(({ profile }) => (profile && keyOfId(profileType, profile)) ?? []);
    const found = ids.length > 0 ? await store.byIds(account, [...new Set(ids)]) : [];
    const visible = found.filter((profile) => seesProfile(caller, profile));
    const byId = new Map(visible.map((profile) => [profile.id, profile]));
    return ({ profile: id }) => {
      const profile = byId.get(keyOfId(profileType, id ?? '') ?? '');
      if (!profile) throw new Fault('NOT_FOUND', { message: 'There is no such contact profile.' });
      return contactOfProfile(profile);
    };
  },
  async defaultsOf(customers) {
    const found = await store.defaultsOf(account, customers);
    return new Map(
      [...found].map(([customer, { profile, ...values }]) => [
        customer,
        { ...values, contact: profile && (() => contactOfProfile(profile)) },
      ]),
    );
  },
  hints: {
    registrant: ' or a "profile", or set a default profile with "setDefaults"',
    nameServers: ', or set default ones with "setDefaults"',
  },
});

export const open = (): OpenFeature => ({
  fills: [
    fill(valueStore, ({ caller, tenant: { account }, store }) =>
      createValueStore(store(profileStore), account, caller),
    ),
  ],
});

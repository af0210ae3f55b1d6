import { type Caller, forbidden, ownerOf } from '../../kernel/caller.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { globalId } from '../../kernel/ids.ts';
import { readStoredPage } from '../../lib/pages.ts';
import {
  type ContactInput,
  canonicalContact,
  contactToWire,
} from '../../modules/contact/contact-input.ts';
import { checkName } from '../../modules/mutation/check-name.ts';
import { asPayload, type Checks, createChecks } from '../../modules/mutation/checks.ts';
import { checkNameServers } from '../../modules/name-server/rules.ts';
import { perRequest } from '../../scope/scope.ts';
import {
  type ContactProfile,
  type ProfilePage,
  type ProfileStore,
  type PurchaseDefaults,
  profileStore,
} from './store.ts';
import { contactOfProfile, seesProfile } from './values.ts';

interface SaveContactProfileInput {
  /** The key of a profile to change; null for an id of another type, absent for a new profile. */
  readonly id?: string | null | undefined;
  readonly name: string;
  readonly contact: ContactInput;
  readonly customer?: string | null | undefined;
}

/** Absent members are not changed, null ends a default. */
interface SetDefaultsInput {
  /** The key of a profile; empty for an id of another type. */
  readonly profile?: string | null | undefined;
  readonly nameServers?: readonly string[] | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly transferLocked?: boolean | null | undefined;
  readonly customer?: string | null | undefined;
}

/** The defaults of a customer, or of the reseller, which are those of all customers. */
export interface OwnedDefaults extends PurchaseDefaults {
  readonly customer: string | null;
}

/** The contact profiles and the defaults of purchases, as far as the caller sees them. */
export const contactProfiles = perRequest('contactProfiles', (scope) => {
  const { caller } = scope;
  const { account, clock, randomness } = scope.tenant;
  const store = scope.store(profileStore);
  const readOne = scope.stored.batched((ids) => store.byIds(account, ids));
  const byId = async (id: string): Promise<ContactProfile | null> => {
    const profile = await readOne(id);
    return profile && seesProfile(caller, profile) ? profile : null;
  };
  const find = async (id: string, field: string): Promise<ContactProfile> =>
    (await byId(id)) ?? unknown(field);
  const defaults = async (customer: string | null): Promise<OwnedDefaults> => {
    const found = (await store.defaultsOf(account, [customer])).get(customer) ?? noDefaults;
    const isVisible = found.profile && seesProfile(caller, found.profile);
    return { ...found, customer, profile: isVisible ? found.profile : null };
  };

  return {
    byId,
    /** @throws Fault `JOURNAL_UNAVAILABLE` when it cannot be decrypted */
    contactOf: contactOfProfile,
    /** A page by owner and name. A caller that is bound to a customer sees the profiles of that customer. */
    async list(page: ProfilePage) {
      const customer = ownerOf(caller, page.filter?.customer, ['filter', 'customer']);
      const filter = customer === null ? {} : { customer };
      return readStoredPage(store, account, { ...page, filter });
    },
    defaults: (customer: string | null | undefined) =>
      defaults(ownerOf(caller, customer, ['customer'])),

    save: ({ id, contact, ...input }: SaveContactProfileInput) =>
      asPayload(async () => {
        assertMayWrite(caller);
        const checks = createChecks();
        const before = id === undefined ? null : await find(id ?? '', 'id');
        const customer = checkOwner(checks, caller, input.customer, before);
        const name = checkName(checks, input.name);
        contactToWire(checks, ['input', 'contact'], contact);
        checks.finish();
        const text = JSON.stringify(canonicalContact(contact));
        const saved = { id: before?.id ?? randomness.uuid(), customer, name, contact: text };
        if (!before) {
          await assertRoom(store, account, caller);
          const [profile] = await store.save(account, [saved], clock.now());
          return { profile: profile as ContactProfile };
        }
        const profile = await store.replace(account, saved, clock.now());
        if (profile) return { profile };
        await find(before.id, 'id');
        throw sameName();
      }),

    remove: ({ id }: { readonly id: string }) =>
      asPayload(async () => {
        assertMayWrite(caller);
        await find(id, 'id');
        await store.remove(account, id);
        return { deletedId: globalId('ContactProfile', id) };
      }),

    setDefaults: ({ customer: of, profile: profileId, nameServers, ...flags }: SetDefaultsInput) =>
      asPayload(async () => {
        assertMayWrite(caller);
        const checks = createChecks();
        const customer = checkOwner(checks, caller, of, null);
        const profile = profileId ? await find(profileId, 'profile') : null;
        if (profileId === '') unknown('profile');
        if (profile && profile.customer !== null && profile.customer !== customer) {
          checks.add(invalidInput(ofOther, { path: ['input', 'profile'] }));
        }
        const hosts = nameServers && checkNameServers(checks, nameServers);
        checks.finish();
        const changes = { ...flags, profileId, nameServers: hosts };
        await store.setDefaults(account, customer, changes);
        return { defaults: await defaults(customer) };
      }),
  };
});

const noDefaults: PurchaseDefaults = {
  ...{ profile: null, nameServers: null, privacyProtected: null, transferLocked: null },
};

/** Profiles of a customer that its own callers can save. The reseller has no limit. */
const maxProfiles = 1_000;

/** @throws Fault `INVALID_INPUT` when the caller is bound to a customer that has too many profiles */
async function assertRoom(
  store: ProfileStore,
  account: string,
  { customer }: Caller,
): Promise<void> {
  if (customer === null || (await store.count(account, { customer })) < maxProfiles) return;
  const message = `A customer has at most ${maxProfiles} profiles; change one by its "id", or delete one.`;
  throw invalidInput(message, { path: ['input', 'name'] });
}

/** A caller that is bound to a customer needs the right to buy, all others the right to change customers. */
function assertMayWrite(caller: Caller): void {
  const { scopes, customer } = caller;
  if (scopes.has('customers:write') || (customer !== null && scopes.has('domains:spend'))) return;
  throw forbidden(caller, ['customers:write']);
}

/** The owner of a profile. One that exists keeps its owner. */
function checkOwner(
  checks: Checks,
  caller: Caller,
  customer: string | null | undefined,
  before: ContactProfile | null,
): string | null {
  const path = ['input', 'customer'];
  return checks.check(path, () => {
    const owner = ownerOf(caller, customer, path);
    if (!before || (customer ?? null) === null || owner === before.customer) {
      return before?.customer ?? owner;
    }
    throw invalidInput('The customer of a profile cannot be changed; save a new profile.');
  });
}

function unknown(field: string): never {
  throw new Fault('NOT_FOUND', {
    message: 'There is no such contact profile.',
    path: ['input', field],
  });
}

const sameName = () =>
  new Fault('ALREADY_EXISTS', {
    message: 'Another profile has this name; choose another name, or save that profile.',
    path: ['input', 'name'],
  });

const ofOther =
  'This profile belongs to another customer; choose one of this customer, or one without a customer.';

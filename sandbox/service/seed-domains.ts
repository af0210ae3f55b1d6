import { dayMs } from '../../src/kernel/instant.ts';
import { authCode, chanceFrom } from './chance.ts';
import { type NewDomain, plainDomain } from './domain-store.ts';
import { addYears, nextChange } from './life-cycle.ts';
import { expiryIn, newStates } from './new-states.ts';

/** What sets a seeded domain apart from an Active one with a lock, no privacy and a year or so to go. */
interface Trait extends Partial<Omit<NewDomain, 'name' | 'expiresAt' | 'startAt'>> {
  /** From now; negative once expired. */
  readonly expiresInDays?: number;
  readonly ageInDays?: number;
  /** Which person, for all roles. */
  readonly person?: number;
}

/** The names worth knowing by heart, in the order of their ids. */
export const memorable: Readonly<Record<string, Trait>> = {
  'reseller-demo.com': {
    expiresInDays: 400,
    glue: [
      { ns: 'ns1.reseller-demo.com', ip: '192.5.6.30' },
      { ns: 'ns2.reseller-demo.com', ip: '2001:503:a83e::2:30' },
    ],
    nameServers: ['ns1.reseller-demo.com', 'ns2.reseller-demo.com'],
  },
  'xn--bcher-demo-9db.de': { expiresInDays: 120, locked: false, person: 1 },
  'unlocked-demo.com': { locked: false },
  'private-demo.net': { privacy: true },
  'lowercase-demo.org': { status: 'active' },
  'expiring-demo.com': newStates.expiring,
  'expiring-soon-demo.net': { expiresInDays: 14 },
  'grace-demo.com': newStates.grace,
  'hold-demo.com': newStates.hold,
  'redemption-demo.com': newStates.redemption,
  'restoring-demo.org': { status: 'PendingRestore', expiresInDays: -60 },
  'deleted-demo.com': { status: 'Deleted', expiresInDays: -300 },
  'gone-demo.com': { status: 'TransferredOut', expiresInDays: 200 },
  'leaving-demo.com': { status: 'WaitingForOutgoingTransfer', locked: false },
  'arriving-demo.com': { status: 'WaitingForIncomingTransfer', ageInDays: 700, expiresInDays: 60 },
  'rejected-demo.com': { status: 'TransferRejectedFromOpposed' },
  'cancelled-demo.com': { status: 'TransferCancelledFromClient' },
  'pending-demo.com': { status: 'WaitingForRegistration', ageInDays: 0 },
  'document-demo.gen.tr': { status: 'WaitingForDocument', ageInDays: 1, person: 3 },
  'confirm-demo.info': { status: 'ConfirmationEmailSend', ageInDays: 1 },
  'preregistered-demo.app': { status: 'PreRegistiration', ageInDays: 0 },
  'additional-demo.com.tr': {
    additional: { TrabisDomainCategory: '0', TrabisCitizenId: '10000000146' },
    person: 3,
  },
  'hostless-demo.com': { nameServers: [] },
  'no-address-demo.com': { glue: [{ ns: 'ns1.no-address-demo.com', ip: '' }] },
  'drifted-demo.com': { locked: false, registryStatus: 'clientTransferProhibited' },
  'two-views-demo.com': {
    locked: false,
    privacy: true,
    registryStatus: 'clientTransferProhibited',
  },
  'delayed-glue-demo.com': {},
  'held-demo.com': { registryStatus: 'clientUpdateProhibited' },
  'country-name-demo.co.uk': { person: 11 },
  'modifying-demo.com': { status: 'ModificationPending' },
  'failed-demo.com': { status: 'ModificationFailed' },
  'timeout-demo.com': { status: 'TimeOut' },
  'incase-demo.com': { status: 'InCase' },
  'none-demo.com': { status: 'None' },
  'blocked-sync-demo.com': { status: 'SynchronizationBlocked' },
  'migrating-demo.com': { status: 'MigrationPending' },
  'failed-order-demo.app': { status: 'PreRegistirationFail' },
  'unheard-of-demo.com': { status: 'SomethingNobodyHasSeen' },
  'young-demo.com': { ageInDays: 2, expiresInDays: 363, locked: false },
};

/** Names of the account `other`, which a demo can transfer with the code that `other` reads in its details. */
export const othersNames: Readonly<Record<string, Trait>> = {
  'others-demo.com': { locked: false },
  'others-locked-demo.com': {},
  'others-young-demo.com': { locked: false, ageInDays: 5, expiresInDays: 360 },
};

export const brokesNames: Readonly<Record<string, Trait>> = {
  'broke-demo.com': {},
  'broke-demo.net': { expiresInDays: 20 },
};

const adjectives =
  `amber brisk calm cosy crisp deep early fair fine fresh gentle grand honest keen light lucky merry modern
noble north open plain prime proud quick quiet rapid sharp silver simple smart solid south steady stone sunny swift tidy
true urban vivid warm west wild wise`.split(/\s+/);
const nouns =
  `acorn anchor atlas bakery beacon birch bridge brook canvas cedar circle compass copper corner dawn delta
ember falcon field forge garden harbor hazel hill island kettle lantern maple meadow mill orchard otter paper pebble pine
prairie quarry raven ridge river rocket sail spark sparrow studio thistle timber tower valley willow`.split(
    /\s+/,
  );
const tlds =
  'com com com com net org io dev app de co.uk shop online info nl fr at me cloud gen.tr eu store'.split(
    ' ',
  );
const providers = ['example-cloud.net', 'example-hosting.com', 'example-parking.org'];
const idns = ['xn--mnchen-demo-thb', 'xn--caf-demo-d1a', 'xn--iek-demo-r0ab'];

/** The rest of the portfolio: names of two words, numbered once the words run out. Mostly Active, a few of everything. */
function generated(index: number): readonly [string, Trait] {
  const idn = index % 97 === 96 ? idns[(index - 96) / 97] : undefined;
  if (idn) return [`${idn}.com`, traitOf(index)];
  const round = Math.floor(index / adjectives.length);
  const adjective = adjectives[index % adjectives.length];
  const noun = nouns[((index % adjectives.length) + round) % nouns.length];
  const serial = Math.floor(round / nouns.length);
  const tld = tlds[(index * 5) % tlds.length];
  return [`${adjective}-${noun}${serial > 0 ? `-${serial}` : ''}.${tld}`, traitOf(index)];
}

function traitOf(index: number): Trait {
  const person = index % 11;
  if (index % 53 === 52)
    return { person, status: 'PendingDelete', expiresInDays: -46 - (index % 20) };
  if (index % 47 === 46)
    return { person, status: 'PendingHold', expiresInDays: -31 - (index % 10) };
  if (index % 41 === 40) return { person, expiresInDays: -1 - (index % 25) };
  if (index % 13 === 12) return { person, expiresInDays: 1 + (index % 30) };
  if (index % 31 === 30) return { person, status: 'active', locked: false };
  return {
    person,
    privacy: index % 5 === 0,
    ...hostsOf(index),
    locked: index % 7 !== 0,
    ageInDays: 61 + ((index * 37) % 2500),
    expiresInDays: 31 + ((index * 53) % 1400),
  };
}

/** Most are served by one provider, as accounts are; some by others, and a few by a host of their own. */
function hostsOf(index: number): Pick<Trait, 'nameServers'> {
  if (index % 29 === 28) {
    const own = `dns${Math.floor(index / 29)}.example`;
    return { nameServers: [`a.${own}`, `b.${own}`] };
  }
  const provider = providers[index % 17];
  return provider === undefined
    ? {}
    : { nameServers: ['ns1', 'ns2'].map((ns) => `${ns}.${provider}`) };
}

/** The portfolio of `demo`: the memorable names, then generated ones, `count` in all. */
export function* demoPortfolio(count: number): Generator<readonly [string, Trait]> {
  const known = Object.entries(memorable).slice(0, count);
  yield* known;
  for (let index = 0; index < count - known.length; index += 1) yield generated(index);
}

/** A dozen names that say whose they are, such as `acorn-demo-two.com`. */
export const smallPortfolio = (username: string): readonly (readonly [string, Trait])[] =>
  nouns.slice(0, 12).map((noun, index) => [`${noun}-${username}.com`, traitOf(index)] as const);

/** A whole record of a seeded name. `contacts` are ids, one for each of `people`. */
export function seededDomain(
  [name, trait]: readonly [string, Trait],
  reseller: number,
  contacts: readonly number[],
  nowMs: number,
): NewDomain {
  const { expiresInDays = 365, ageInDays = 300, person = 0, ...changes } = trait;
  const contact = contacts[person % contacts.length] ?? 0;
  const expiresAt = expiryIn(expiresInDays, nowMs);
  const startAt = Math.min(nowMs - ageInDays * dayMs, addYears(expiresAt, -1));
  const status = changes.status ?? 'Active';
  const isArriving = status === 'WaitingForIncomingTransfer';
  return {
    ...plainDomain(contact),
    reseller,
    name,
    status,
    authCode: authCode(chanceFrom(`code ${name}`)),
    locked: !name.endsWith('.de') && !isArriving,
    startAt,
    heldSince: startAt,
    expiresAt,
    nextAt: isArriving ? nowMs + 4 * dayMs : nextChange(name, status, expiresAt),
    nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
    billing: contacts[(person + 1) % 11] ?? contact,
    ...changes,
  };
}

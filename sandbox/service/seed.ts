import { dayMs } from '../../src/kernel/instant.ts';
import { authCode, chanceFrom } from './chance.ts';
import type { SandboxDatabase } from './database.ts';
import { addYears, expiryIn, newStates, nextChange } from './life-cycle.ts';
import {
  type ContactFields,
  contactFields,
  type NewDomain,
  plainDomain,
  type Store,
} from './store.ts';

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
const othersNames: Readonly<Record<string, Trait>> = {
  'others-demo.com': { locked: false },
  'others-locked-demo.com': {},
  'others-young-demo.com': { locked: false, ageInDays: 5, expiresInDays: 360 },
};

const brokesNames: Readonly<Record<string, Trait>> = {
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

const login = (id: number, shownId: number, username: string, usd: string, tl: string) => ({
  id,
  shownId,
  username,
  usd,
  tl,
  token: `${username}-token`,
});

/** The logins. The Domain API takes the password, the Account API the token. */
export const logins = [
  login(1, 100001, 'demo', '2500.0000', '60000.0000'),
  login(2, 100002, 'broke', '5.0000', '0.0000'),
  login(3, -1, 'other', '1000.0000', '5000.0000'),
  login(4, 100004, 'demo-two', '1800.0000', '40000.0000'),
  login(5, 100005, 'demo-three', '900.0000', '20000.0000'),
] as const;

/** Fictional persons with fictional addresses and with phone numbers that are reserved for fiction. */
const peopleRows = `
Ada|Sample|Sample Works Ltd|ada@sample-works.example|1 Example Street|Floor 2|London||EC1A 1ZZ|GB|2079460101|44
Ben|Muster|Muster GmbH|ben@muster-gmbh.example|Musterstraße 12||Berlin|Berlin|10115|DE|3023125042|49
Chloé|Exemple|Exemple SARL|chloe@exemple-sarl.example|3 rue de l'Exemple||Paris|Île-de-France|75001|FR|199005123|33
Deniz|Örnek|Örnek Ltd. Şti.|deniz@ornek-ltd.example|Örnek Cad. 4|Kat 5|İstanbul|Kadıköy|34710|TR|2120000104|90
Emma|Placeholder||emma@placeholder.example|500 Sample Avenue|Suite 5|Springfield|IL|62701|US|2175550105|1
Farah|Fictive|Fictive Media BV|farah@fictive-media.example|Voorbeeldlaan 6||Utrecht|UT|3511 AB|NL|850000106|31
Goran|Primjer|Primjer d.o.o.|goran@primjer.example|Primjerna 7||Zagreb||10000|HR|10000107|385
Hana|Vzor|Vzor s.r.o.|hana@vzor.example|Vzorová 8||Praha||110 00|CZ|200000108|420
Ife|Apeere|Apeere Digital|ife@apeere.example|9 Sample Close|Yaba|Lagos|LA|101212|NG|2000000109|234
Jun|Rei|Rei KK|jun@rei-kk.example|1-10 Example|Chiyoda|Tokyo||100-0001|JP|300000110|81
Kim|Model|Model Pty Ltd|kim@model-pty.example|11 Sample Road||Sydney|NSW|2000|AU|255500111|61
Lena|Country|Country Name Ltd|lena@country-name.example|12 Example Lane||Leeds||LS1 1ZZ|United Kingdom|1134960112|44
`;

/** The last one has a country by name, which the service sends now and then. */
const people = peopleRows.trim().split('\n').map(readPerson);

function readPerson(row: string): ContactFields {
  const values = row.split('|');
  const fields = contactFields.map((field, at) => [field, values[at] ?? '']);
  return Object.fromEntries(fields) as ContactFields;
}

const hostingGroups = [
  ['hg_demo_1', 'Small sites', 'Shared hosting for brochure sites.'],
  ['hg_demo_2', 'Shops', 'Hosting for web shops.'],
  ['hg_demo_3', 'Archive', 'Sites that nobody edits any more.'],
] as const;

/** Replaces all data by the demo data, relative to `nowMs`, in one transaction. */
export function seed(
  database: SandboxDatabase,
  store: Store,
  domains: number,
  nowMs: number,
): void {
  database.transaction(() => {
    database.recreate();
    // Ids begin where those of a service do that has run for a while.
    database.run(
      "INSERT INTO sqlite_sequence (name, seq) VALUES ('domains', 500000), ('contacts', 70000)",
    );
    for (const login of logins) seedReseller(store, login, domains, nowMs);
    seedHosting(store, nowMs);
  });
}

function seedReseller(
  { resellers, contacts, money, domains, tokens }: Store,
  { id, shownId, username, usd, tl, token }: (typeof logins)[number],
  count: number,
  nowMs: number,
): void {
  const name = `${username[0]?.toUpperCase()}${username.slice(1)} Reseller`;
  const password = `${username}-password`;
  resellers.save({ id, shownId, username, password, name, currency: 'USD' });
  money.addBalance({ reseller: id, currency: 'USD', symbol: '$', balance: usd });
  money.addBalance({ reseller: id, currency: 'TL', symbol: 'TL', balance: tl });
  tokens.save({ id: token, user: username });
  const ids = people.map((fields) => contacts.add({ reseller: id, fields }));
  for (const entry of portfolio(username, count)) {
    domains.addNew(seededDomain(entry, id, ids, nowMs));
  }
}

const portfolio = (username: string, count: number) => {
  if (username === 'demo') return demoPortfolio(count);
  if (username === 'other') return Object.entries(othersNames);
  if (username === 'broke') return Object.entries(brokesNames);
  return smallPortfolio(username);
};

function seedHosting({ groups, carts, logs }: Store, nowMs: number): void {
  const instant = (hoursAgo: number) => new Date(nowMs - hoursAgo * 3_600_000).toISOString();
  for (const [at, [id, name, description]] of hostingGroups.entries()) {
    groups.save({
      id,
      user: 'demo',
      hostingGroupName: name,
      hostingGroupDescription: description,
      hostingGroupImage: `https://images.example/${id}.png`,
      updatedAtMs: nowMs - (10 - at) * dayMs,
    });
  }
  const item = { quantity: 2, price: 30, total: 60, productType: 'hosting' };
  carts.save({
    id: 'cart_demo_1',
    user: 'demo',
    cartDetails: [{ description: 'Hosting, 12 months', ...item }],
    total: 60,
    createdAt: instant(72),
  });
  for (let at = 0; at < 25; at += 1) {
    logs.add({ user: 'demo', text: `Demo event ${at + 1}`, at: instant(25 - at) });
  }
}

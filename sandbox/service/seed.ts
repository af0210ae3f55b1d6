import { dayMs } from '../../src/kernel/instant.ts';
import type { SandboxDatabase } from './database.ts';
import {
  brokesNames,
  demoPortfolio,
  othersNames,
  seededDomain,
  smallPortfolio,
} from './seed-domains.ts';
import { type ContactFields, contactFields, type Store } from './store.ts';

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

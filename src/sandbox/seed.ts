import { dayMs } from '../kernel/instant.ts';
import type { Database } from './database.ts';
import { schemaVersion } from './schema.ts';
import {
  brokesNames,
  demoPortfolio,
  othersNames,
  seededDomain,
  smallPortfolio,
} from './seed-domains.ts';
import { people } from './seed-people.ts';
import type { Store } from './store.ts';

/** The logins. The Domain API takes the password, the Account API the token. */
export const logins = [
  {
    id: 1,
    shownId: 100001,
    username: 'demo',
    usd: '2500.0000',
    tl: '60000.0000',
    token: 'demo-token',
  },
  { id: 2, shownId: 100002, username: 'broke', usd: '5.0000', tl: '0.0000', token: 'broke-token' },
  {
    id: 3,
    shownId: -1,
    username: 'other',
    usd: '1000.0000',
    tl: '5000.0000',
    token: 'other-token',
  },
  {
    id: 4,
    shownId: 100004,
    username: 'demo-two',
    usd: '1800.0000',
    tl: '40000.0000',
    token: 'demo-two-token',
  },
  {
    id: 5,
    shownId: 100005,
    username: 'demo-three',
    usd: '900.0000',
    tl: '20000.0000',
    token: 'demo-three-token',
  },
] as const;

const hostingGroups = [
  ['hg_demo_1', 'Small sites', 'Shared hosting for brochure sites.'],
  ['hg_demo_2', 'Shops', 'Hosting for web shops.'],
  ['hg_demo_3', 'Archive', 'Sites that nobody edits any more.'],
] as const;

/** Replaces all data by the demo data, relative to `nowMs`, in one transaction. */
export function seed(database: Database, store: Store, domains: number, nowMs: number): void {
  database.transaction(() => {
    database.clear();
    database
      .prepare("INSERT INTO meta (key, value) VALUES ('schema_version', ?)")
      .run(schemaVersion);
    // Ids begin where a service's do that has been running for a while.
    database.prepare("DELETE FROM sqlite_sequence WHERE name IN ('domains', 'contacts')").run();
    database
      .prepare(
        "INSERT INTO sqlite_sequence (name, seq) VALUES ('domains', 500000), ('contacts', 70000)",
      )
      .run();
    for (const login of logins) seedReseller(store, login, domains, nowMs);
    seedHosting(store, nowMs);
  });
}

function seedReseller(
  { accounts, money, domains, hosting }: Store,
  { id, shownId, username, usd, tl, token }: (typeof logins)[number],
  count: number,
  nowMs: number,
): void {
  const name = `${username[0]?.toUpperCase()}${username.slice(1)} Reseller`;
  accounts.addReseller({ id, shownId, username, name, currency: 'USD' }, `${username}-password`);
  money.setBalance(id, 'USD', '$', usd);
  money.setBalance(id, 'TL', 'TL', tl);
  hosting.beginSession(token, username);
  const contacts = people.map((person) => accounts.addContact(id, person));
  const entries = portfolio(username, count);
  domains.addAll([...entries].map((entry) => seededDomain(entry, id, contacts, nowMs)));
}

const portfolio = (username: (typeof logins)[number]['username'], count: number) => {
  if (username === 'demo') return demoPortfolio(count);
  if (username === 'other') return Object.entries(othersNames);
  if (username === 'broke') return Object.entries(brokesNames);
  return smallPortfolio(username);
};

function seedHosting({ hosting }: Store, nowMs: number): void {
  for (const [at, [id, name, description]] of hostingGroups.entries()) {
    hosting.saveGroup({
      id,
      user: 'demo',
      hostingGroupName: name,
      hostingGroupDescription: description,
      hostingGroupImage: `https://images.example/${id}.png`,
      updatedAtMs: nowMs - (10 - at) * dayMs,
    });
  }
  const item = {
    description: 'Hosting, 12 months',
    quantity: 2,
    price: 30,
    total: 60,
    productType: 'hosting',
  };
  hosting.addCart('cart_demo_1', 'demo', [item], 60, nowMs - 3 * dayMs);
  for (let at = 0; at < 25; at += 1) {
    hosting.log('demo', nowMs - (25 - at) * 3_600_000, `Demo event ${at + 1}`);
  }
}

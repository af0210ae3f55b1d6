import { sql } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import type { LabelCondition } from '../kernel/label.ts';
import { parts } from '../lib/slices.ts';
import { domainLabelsTable } from './core-tables.ts';
import { allOf } from './results.ts';
import { noName, type RecordOf } from './table.ts';
import { type Database, literal, rowsOf, timeText } from './tables.ts';
import { reading, writing } from './unavailable.ts';

/** A domain and the customer that it belongs to. */
export interface DomainCustomer {
  readonly domain: DomainName;
  readonly customer: string;
}

export type DomainLabel = RecordOf<typeof domainLabelsTable>;

type NamePage = readonly [after: DomainName | null, limit: number];

/** Which customer each domain of an account belongs to, and its labels, over all replicas. The domain need not be known. */
export const createCustomerStore = (db: Database) => ({
  /** The customers of these domains. Domains of the reseller are not among them. */
  of: (account: string, names: readonly DomainName[]) =>
    reading(async (): Promise<readonly DomainCustomer[]> => {
      if (names.length === 0) return [];
      const rows = await rowsOf(db, 'domain_customers', account)
        // An index that has all columns makes SQLite read it whole.
        .select(['domain', 'customer', 'since'])
        .where('domain', 'in', names)
        .execute();
      return rows.flatMap((row) =>
        row.customer === null ? [] : [{ domain: row.domain, customer: row.customer }],
      );
    }),
  /** A page of the domains that have a customer by name, those after `after`. */
  assigned: (account: string, ...[after, limit]: NamePage) =>
    reading(() => {
      const page = rowsOf(db, 'domain_customers', account)
        .select(['domain', 'customer'])
        .where('domain', '>', after ?? noName)
        .where('customer', 'is not', null)
        .orderBy('domain')
        .limit(literal(limit));
      return allOf(page, (row) => row as DomainCustomer);
    }),
  /** A page of the domains of a customer by name, those after `after`. */
  domains: (account: string, customer: string, ...[after, limit]: NamePage) =>
    reading(() => {
      const page = rowsOf(db, 'domain_customers', account)
        .select('domain')
        .where('customer', '=', customer)
        .where('domain', '>', after ?? noName)
        .orderBy('domain')
        .limit(literal(limit));
      return allOf(page, ({ domain }) => domain);
    }),
  /** Sets the customer of domains; null makes them the reseller's own. */
  assign: (account: string, names: readonly DomainName[], customer: string | null, at: Date) => {
    const assigned = names.map((domain) => ({ domain, customer }));
    return writing(() => assign(db, account, assigned, at));
  },
  /** The same for domains of several customers. */
  assignEach: (account: string, assigned: readonly DomainCustomer[], at: Date) =>
    writing(() => assign(db, account, assigned, at)),
  /**
   * Sets the customer of a purchased domain and removes its labels. A customer and labels that were set after the claim stay. A
   * repetition changes nothing.
   */
  assignPurchased: (bought: PurchasedDomain) =>
    writing(async () => {
      await setPurchased(db, bought);
      await db
        .deleteFrom('domain_labels')
        .where('account', '=', bought.account)
        .where('domain', '=', bought.domain)
        .where('since', '<=', timeText(bought.claimedAt))
        .execute();
    }),
  /** The labels of these domains by name. */
  labels: (account: string, names: readonly DomainName[]) =>
    reading(async (): Promise<readonly DomainLabel[]> => {
      if (names.length === 0) return [];
      const rows = await rowsOf(db, 'domain_labels', account)
        // As for customers.
        .select([...domainLabelsTable.columns, 'since'])
        .where('domain', 'in', names)
        .execute();
      return rows
        .map(domainLabelsTable.record)
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    }),
  /** A page of the domains with a label by name, those after `after`. */
  labelled: (account: string, { name, value }: LabelCondition, ...[after, limit]: NamePage) =>
    reading(() => {
      const page = rowsOf(db, 'domain_labels', account)
        .select('domain')
        .where('name', '=', name)
        .$if(value !== null, (query) => query.where('value', '=', value ?? ''))
        .where('domain', '>', after ?? noName)
        .orderBy('domain')
        .limit(literal(limit));
      return allOf(page, ({ domain }) => domain);
    }),
  /** Sets labels. A failure can leave a part of them set. */
  label: (account: string, labels: readonly DomainLabel[], at: Date) =>
    writing(async () => {
      for (const some of parts(labels, labelsPerStatement)) {
        const rows = some.map(({ domain, name, value }) => sql`(${domain}, ${name}, ${value})`);
        await sql`
          insert into domain_labels (account, domain, name, value, since)
          select ${account}, column1, column2, column3, ${timeText(at)}
          from (values ${sql.join(rows)}) as labels where true
          on conflict (account, domain, name) do update set value = excluded.value, since = excluded.since`.execute(
          db,
        );
      }
    }),
  /** Removes the labels with these names. */
  unlabel: (account: string, domains: readonly DomainName[], names: readonly string[]) =>
    writing(async () => {
      if (names.length === 0) return;
      for (const some of parts(domains, unlabelledPerStatement)) {
        await db
          .deleteFrom('domain_labels')
          .where('account', '=', account)
          .where('domain', 'in', some)
          .where('name', 'in', names)
          .execute();
      }
    }),
});

export type CustomerStore = ReturnType<typeof createCustomerStore>;

interface PurchasedDomain {
  readonly account: string;
  readonly domain: DomainName;
  /** Null for a purchase for the reseller. */
  readonly customer: string | null;
  readonly claimedAt: Date;
}

/** A statement of SQLite stops all requests. */
const namesPerStatement = 500;
const labelsPerStatement = 500;
/** Each with some labels. */
const unlabelledPerStatement = 50;

async function assign(
  db: Database,
  account: string,
  assigned: readonly { readonly domain: DomainName; readonly customer: string | null }[],
  at: Date,
): Promise<void> {
  const since = timeText(at);
  for (const some of parts(assigned, namesPerStatement)) {
    await db
      .insertInto('domain_customers')
      .values(some.map((one) => ({ account, ...one, since })))
      .onConflict((conflict) =>
        conflict
          .columns(['account', 'domain'])
          .doUpdateSet(({ ref }) => ({ customer: ref('excluded.customer'), since })),
      )
      .execute();
  }
}

async function setPurchased(
  db: Database,
  { account, domain, customer, claimedAt }: PurchasedDomain,
): Promise<void> {
  const set = { customer, since: timeText(claimedAt) };
  if (customer === null) {
    await db
      .updateTable('domain_customers')
      .set(set)
      .where('account', '=', account)
      .where('domain', '=', domain)
      .where('since', '<=', set.since)
      .execute();
    return;
  }
  await db
    .insertInto('domain_customers')
    .values({ account, domain, ...set })
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'domain'])
        .doUpdateSet(set)
        .where('domain_customers.since', '<=', set.since),
    )
    .execute();
}

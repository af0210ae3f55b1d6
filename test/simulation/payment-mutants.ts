import { sql } from 'kysely';
import type { PaymentStore } from '../../src/features/payment/store.ts';
import { createReplace, type Mutant, type Replacement, withMethods } from './replacements.ts';

// As `mutants.ts`: this file must not load a module of the gateway.

interface Modules {
  'src/features/payment/holds.ts': typeof import('../../src/features/payment/holds.ts');
  'src/features/payment/store.ts': typeof import('../../src/features/payment/store.ts');
  'src/persistence/migrations.ts': typeof import('../../src/persistence/migrations.ts');
}

const replace = createReplace<Modules>();
const mutant = (name: string, ...replacements: Replacement[]): Mutant => ({ name, replacements });

const withPayments = (change: (payments: PaymentStore) => Partial<PaymentStore>) =>
  replace('src/features/payment/store.ts', 'createPaymentStore', (create) => (db) => {
    const payments = create(db);
    return withMethods('payments', payments, change(payments));
  });

/** Replaces a text in a trigger; without another text the trigger is dropped. */
const withTrigger = (name: string, from = '', to: string | null = null) =>
  replace('src/persistence/migrations.ts', 'migrate', (migrate) => async (...given) => {
    const [db] = given;
    await migrate(...given);
    const { rows } = await sql<{ readonly text: string }>`
      select sql as text from sqlite_master where name = ${name}`.execute(db);
    const text = rows[0]?.text ?? '';
    if (!text.includes(from)) throw new Error(`The trigger ${name} does not have "${from}".`);
    await sql.raw(`drop trigger ${name}`).execute(db);
    if (to !== null) await sql.raw(text.replaceAll(from, to)).execute(db);
  });

/** Typical bugs of paid orders. */
export const paymentMutants: readonly Mutant[] = [
  mutant(
    'order-paid-with-less',
    withTrigger(
      'payment_amounts_paid',
      'payments.amount_due = new.amount',
      'payments.amount_due >= new.amount',
    ),
  ),
  mutant(
    'order-paid-after-its-time',
    withTrigger(
      'payment_amounts_paid',
      'payments.expires_at > new.at',
      'payments.expires_at is not null',
    ),
  ),
  mutant(
    'reference-that-counts-twice',
    withPayments((payments) => {
      let number = 0;
      return {
        amount: async () => null,
        add: (account, amount) => {
          number += 1;
          return payments.add(account, { ...amount, reference: `${amount.reference} ${number}` });
        },
      };
    }),
  ),
  mutant(
    'refund-of-a-line-that-may-be-bought',
    withTrigger(
      'payment_lines_ended',
      "state <> 'FAILED'",
      "state not in ('FAILED', 'UNKNOWN', 'IN_PROGRESS')",
    ),
  ),
  mutant('refund-of-a-late-failure-lost', withTrigger('payment_lines_settled')),
  mutant('refund-of-a-refused-line-lost', withTrigger('payment_lines_ended')),
  mutant(
    'approved-order-sent-unpaid',
    withTrigger('payment_lines_held'),
    replace('src/features/payment/holds.ts', 'createPaymentHolds', (create) => (deps) => {
      const holds = create(deps);
      return withMethods('holds', holds, {
        verdict: async (held) => ({ ...(await holds.verdict(held)), refusal: null }),
      });
    }),
  ),
  mutant(
    'amount-in-another-currency-lost',
    withTrigger('payment_amounts_paid', "state <> 'OTHER'", "state = 'OTHER'"),
  ),
  mutant(
    'refund-above-what-is-due',
    withTrigger('payment_amounts_refunded', '>= new.amount', '> - new.amount'),
  ),
  mutant(
    'returned-line-still-owed',
    withTrigger('payment_lines_changed', 'then - new.price', 'then 0'),
  ),
];

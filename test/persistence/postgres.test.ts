import { describe } from 'vitest';
import { isLong } from '../support/long.ts';
import { whyNoPostgres } from '../support/postgres.ts';
import { because } from '../support/skipped.ts';
import { describeCustomers } from './describe-customers.ts';
import { describeJobLeases } from './describe-job-leases.ts';
import { describeJobs } from './describe-jobs.ts';
import { describeJournal } from './describe-journal.ts';
import { describeSpending } from './describe-spending.ts';
import { usePostgresStores } from './postgres-store.ts';

describe.skipIf(whyNoPostgres)(`the journal${because(whyNoPostgres)}`, () => {
  const createStore = usePostgresStores({ isQuick: true });
  describeJournal('PostgreSQL', createStore);
  describeSpending('PostgreSQL', createStore);
  describeJobLeases('PostgreSQL', createStore);
  describeCustomers('PostgreSQL', createStore);
  // These have the same statements as on SQLite, which the short form tests.
  if (isLong) {
    describeJobs('PostgreSQL', createStore);
  }
});

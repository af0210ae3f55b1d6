import { expect, test } from 'vitest';
import { claimNumber, moveTo, unlimited } from '../../../../test/persistence/claims.ts';
import { names, useTenants } from '../../../../test/support/two-tenants.ts';
import { parseDomainName } from '../../../kernel/domain-name.ts';
import { fill } from '../../../scope/parts.ts';
import { createLedgerStore } from '../ledger-store.ts';
import { ledger, ledgerStore, open as openPortfolio } from '../parts.ts';
import { knownDomainsTable } from '../table.ts';
import { knownNamesOf, knownOf } from './known-domains.ts';

const { open } = useTenants();
const features = { fills: [], background: [], ...openPortfolio() };

test('a tenant looks up the domains that are imported, at once', async () => {
  const { depsOf } = await open({ tables: [knownDomainsTable], changes: { features } });
  const { account, use, clock } = depsOf('one');
  // Longer than the first look, and shorter than the time to the next one.
  await clock.wait(300);

  const imported = ['no-such-domain.com', 'reseller-demo.com'].map(parseDomainName);
  await use(ledger).import(imported);

  const known = async () => {
    const domains = await knownOf(use(ledgerStore), account);
    return domains.filter(({ name }) => imported.includes(name));
  };
  await expect.poll(known).toEqual([{ name: 'reseller-demo.com', unlisted: null }]);
});

test('the domain of a purchase that succeeds is known, and that of another one is not', async () => {
  const { depsOf } = await open({ tables: [knownDomainsTable], changes: { features } });
  const one = depsOf('one');
  for (const [at, state] of (['SUCCEEDED', 'FAILED'] as const).entries()) {
    const claim = claimNumber(at, { account: one.account });
    await one.journal.claim(claim, unlimited);
    await moveTo(one.journal, claim.id, state);
  }

  const known = names.map((name) =>
    knownNamesOf(depsOf(name).use(ledgerStore), depsOf(name).account),
  );

  expect(await Promise.all(known)).toEqual([['name-0.com'], []]);
});

test('a bug of the known domains is logged with its tenant, and fails no purchase', async () => {
  const fail = () => Promise.reject(new TypeError('undefined is not a function'));
  const broken = fill(ledgerStore, ({ facts: { journal } }) => ({
    ...createLedgerStore(journal.database),
    ...{ add: fail, hasDue: fail },
  }));
  const { depsOf, lines } = await open({
    tables: [knownDomainsTable],
    changes: { features, fills: [broken] },
  });
  await expect.poll(() => lines.length).toBe(2);
  const two = depsOf('two');
  await two.journal.claim(claimNumber(1, { account: two.account }), unlimited);

  await moveTo(two.journal, claimNumber(1).id, 'SUCCEEDED');

  expect(lines).toMatchObject(
    [
      ['the background reads of domains failed', 'one'],
      ['the background reads of domains failed', 'two'],
      ['the known domains cannot be stored', 'two'],
    ].map(([msg, tenant]) => ({
      ...{ level: 'error', msg, tenant },
      error: { message: 'undefined is not a function' },
    })),
  );
});

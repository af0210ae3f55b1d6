import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';
import { fieldCosts } from '../../../../test/samples/all.ts';
import { personText } from '../../../../test/samples/shared.ts';
import { ada } from '../../../../test/support/ada.ts';
import { csvObjects } from '../../../../test/support/csv.ts';
import { openStream } from '../../../../test/support/event-stream.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { runCommand } from '../../../../test/support/process.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';
import { systemClock } from '../../../lib/system.ts';

const API_KEYS = apiKeysOf({
  everything: allAccessScopes,
  reader: ['domains:read', 'domains:check'],
  auditor: ['audit:read'],
  checker: ['domains:check'],
});
const journalOf = (folder: string) => join(folder, 'sandbox-journal.sqlite');

const entryFields =
  'position startedAt endedAt operation domainName caller customer tenant requestId address inputHash outcome upstreamCalls refusals hash';

interface Entry {
  readonly operation: string;
  readonly domainName: string | null;
  readonly outcome: string | null;
  readonly upstreamCalls: number | null;
  readonly [field: string]: unknown;
}

const entriesOf = async (gateway: TestGateway, args = '(first: 100)'): Promise<Entry[]> => {
  const document = `{ auditLog${args} { totalCount nodes { ${entryFields} } } }`;
  const { data, errors } = await gateway.query(document, {}, by('auditor'));
  expect(errors).toBeUndefined();
  return data.auditLog.nodes;
};

const mutations = fieldCosts.filter(({ field }) => field.startsWith('Mutation.'));

describe('each write', () => {
  /** The open operations that the database had on disk when the registrar received a write. */
  const sent: { readonly call: string; readonly open: readonly string[] }[] = [];
  let orderId: string;
  let folder: string;
  let journal: DatabaseSync;
  let recorded: Awaited<ReturnType<typeof startRecordedGateway>>;
  const reads = /action=(?:get|tldlist|resellerdetails|single|bulk)/;

  beforeAll(async () => {
    folder = await newFolder('audit');
    recorded = await startRecordedGateway(
      { env: { API_KEYS, DATA_DIR: folder } },
      ({ path, body }) => {
        if (reads.test(path)) return;
        const { domain = null } = body ? JSON.parse(body) : {};
        const open = journal
          .prepare(`select operation from audit_entries as entry where outcome is null
            and (domain = ?1 or ?1 is null) and not exists (select 1 from audit_entries where begun = entry.position)`)
          .all(domain);
        sent.push({ call: path, open: open.map(({ operation }) => String(operation)) });
      },
    );
    journal = new DatabaseSync(journalOf(folder), { readOnly: true });
  });
  afterAll(async () => {
    journal.close();
    await recorded.close();
    await rm(folder, { recursive: true });
  });

  const query = async (document: string) => {
    const { data, errors } = await recorded.gateway.query(document, {}, by('everything'));
    expect(errors, document).toBeUndefined();
    return data;
  };

  test('has an entry on disk before the registrar receives it, also in the background', {
    tags: ['A3'],
  }, async () => {
    for (const { field, rows } of mutations) {
      const sending = rows.find(
        ({ document, counts }) => counts && !document.includes('dryRun: true'),
      );
      const { before, document = '' } = sending ?? {};
      const made = before ? Object.values<Record<string, { id: string }>>(await query(before)) : [];
      const { id } = made[0]?.bulkChange ?? { id: 'none' };
      const variables = { id };
      const sentBy = await recorded.gateway.query(document, variables, by('everything'));
      expect(sentBy.errors, field).toBeUndefined();
    }
    const order = await query(`mutation { placeOrder(input: { idempotencyKey: "audited", defaults: {
      registrant: { fields: ${personText} }, nameServers: ["ns1.example.com", "ns2.example.com"] }, lines: [
      { registration: { domain: "audited-line.com" } }] }) { order { id } } }`);
    orderId = order.placeOrder.order.id;
    await (
      await openStream(recorded.gateway.url, {
        query: `subscription { orderProgress(id: "${orderId}") { order { state } } }`,
        headers: by('everything'),
      })
    ).rest();

    const calls = new Set(sent.map(({ call }) => call.replace(/.*(?:action=|api)/, '')));
    expect(calls.size).toBe(12);
    expect(sent.filter(({ open }) => open.length === 0)).toEqual([]);
  });

  test('has its outcome, its caller and its calls in the audit log', async () => {
    const entries = await entriesOf(recorded.gateway);
    const known = new Set(entries.map(({ operation }) => operation));
    expect(mutations.filter(({ field }) => !known.has(field.replace('Mutation.', '')))).toEqual([]);
    expect(entries.filter(({ outcome, endedAt }) => outcome === null || endedAt === null)).toEqual(
      [],
    );
    expect(new Set(entries.map(({ caller, tenant }) => `${caller} ${tenant}`))).toEqual(
      new Set(['everything default']),
    );
    const found = (operation: string, more: object = {}) =>
      entries.filter((entry) => entry.operation === operation && matches(entry, more));
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(found('registerDomain', { domainName: 'maple-harbor.com' })).toMatchObject([
      { outcome: 'SUCCEEDED', upstreamCalls: 5, inputHash: hash, address: null, hash },
    ]);
    expect(found('setNameServers')).toMatchObject([
      { domainName: 'reseller-demo.com', outcome: 'OK', upstreamCalls: 1 },
    ]);
    // The line of the order and the domain of a bulk change.
    expect(found('registerDomain', { domainName: 'audited-line.com' })).toMatchObject([
      { outcome: 'SUCCEEDED', upstreamCalls: 1, requestId: orderId },
    ]);
    expect(found('setPrivacyProtection', { domainName: 'unlocked-demo.com' })).not.toEqual([]);
    const refused = found('placeOrder', { outcome: 'MAX_PRICE_EXCEEDED' });
    expect(refused).toHaveLength(1);
  });

  test('leaves no input and no secret in the audit log', async () => {
    const code = await query('{ domain(name: "reseller-demo.com") { authCode } }');
    const people = await query(
      '{ domain(name: "reseller-demo.com") { contacts { registrant { email } } } }',
    );

    const rows = journal.prepare('select * from audit_entries').all();
    const text = JSON.stringify(rows);
    expect(text).toContain('authcode.read');
    const secrets = [
      ...[code.domain.authCode, people.domain.contacts.registrant.email],
      ...['Transfer-Code-01', 'ada@example.com', 'Byron', 'demo-token', 'ns1.example.com'],
      ...[ada.email, ada.lastName],
    ];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

const matches = (entry: Entry, some: object): boolean =>
  Object.entries(some).every(([name, value]) => entry[name] === value);

describe('the audit log', () => {
  let folder: string;
  let gateway: TestGateway;
  beforeAll(async () => {
    folder = await newFolder('audit');
    gateway = await startTestGateway({
      sandboxDomains: 10,
      env: { API_KEYS, DATA_DIR: folder, AUDIT_ADDRESSES: 'true' },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await rm(folder, { recursive: true });
  });

  const send = (document: string, key = 'everything') => gateway.query(document, {}, by(key));
  const lastPosition = async () => (await entriesOf(gateway, '(first: 1)'))[0]?.position ?? 0;
  const unlock =
    'mutation { disableTransferLock(input: { domain: "unlocked-demo.com" }) { errors { code } } }';

  test('has no entry of a plain read or of a dry run', async () => {
    const before = await lastPosition();
    await send('{ domains { nodes { name expiresAt } } reseller { name } }');
    await send(
      '{ domain(name: "reseller-demo.com") { name contacts { registrant { id role } } } }',
    );
    await send(`mutation { transferDomain(input: { domain: "outside-dry.com", authCode: "Transfer-Code-01",
      dryRun: true }) { errors { code } } }`);

    expect(await lastPosition()).toBe(before);
  });

  test('has each read of an auth code, and reads of the contacts of several domains together', async () => {
    await send('{ domain(name: "reseller-demo.com") { contacts { registrant { email } } } }');
    await send(
      '{ domains(first: 2) { nodes { name authCode contacts { registrant { email } } } } }',
    );

    const entries = await entriesOf(gateway, '(first: 3)');
    const { data } = await send('{ domains(first: 2) { nodes { name } } }');
    const read = { caller: 'everything', outcome: 'OK', inputHash: null };
    const codes = data.domains.nodes.map(({ name }: { name: string }) => ({
      ...{ ...read, operation: 'authcode.read', domainName: name },
    }));
    for (const entry of [...codes, { ...read, operation: 'contacts.read', domainName: null }]) {
      expect(entries).toContainEqual(expect.objectContaining(entry));
    }
    const contacts = await entriesOf(gateway, '(filter: { operation: "contacts.read" })');
    expect(contacts).toHaveLength(1);
    expect(entries[0]?.address).toMatch(/127\.0\.0\.1$/);
  });

  test('has refused attempts, of reads once in a request', async () => {
    const read = await send('{ domains(first: 3) { nodes { name authCode } } }', 'reader');
    const write = await send(unlock, 'reader');

    expect(read.errors).toHaveLength(3);
    expect(write.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const refused = { caller: 'reader', outcome: 'FORBIDDEN' };
    expect(await entriesOf(gateway, '(filter: { caller: "reader" })')).toMatchObject([
      { ...refused, operation: 'disableTransferLock', domainName: 'unlocked-demo.com' },
      { ...refused, operation: 'authcode.read', domainName: read.data.domains.nodes[0].name },
    ]);
  });

  test('has one entry of a document that is refused as a whole, with the number of its refusals', async () => {
    const before = await lastPosition();
    const refused = await send(
      `mutation ($name: String = "reseller-demo.com") {
        a: disableTransferLock(input: { domain: $name }) { errors { code } }
        b: disableTransferLock(input: { domain: "unlocked-demo.com" }) { errors { code } }
        logout { errors { code } }
        __typename
      }`,
      'reader',
    );

    expect(refused.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const all = await entriesOf(gateway, '(filter: { caller: "reader", outcome: "FORBIDDEN" })');
    const added = all.filter(({ position }) => Number(position) > Number(before));
    expect(added).toMatchObject([
      { operation: 'disableTransferLock', domainName: 'reseller-demo.com', refusals: 3 },
    ]);
  });

  test('has 60 entries of refusals of a caller in a minute, and the next one has the number of the others', async () => {
    let minutes = 0;
    const clock = { ...systemClock, monotonicMs: () => minutes * 60_000 };
    const limited = await startTestGateway({ env: { API_KEYS }, clock });
    const document = `mutation { ${[0, 1].map((at) => `a${at}: syncDomain(input: { domain: "reseller-demo.com" }) { errors { code } }`).join(' ')} }`;
    const refuse = () => limited.query(document, {}, by('checker'));
    for (let sent = 0; sent < 63; sent += 1) await refuse();
    minutes = 1;
    await refuse();
    const refused = await entriesOf(limited, '(first: 100, filter: { caller: "checker" })');
    await limited.close();

    expect(refused.map(({ refusals }) => refusals)).toEqual([8, ...Array(60).fill(2)]);
  });

  test('has the domain of a new customer or label, also of each of several', async () => {
    const set = (domains: string) =>
      send(
        `mutation { setDomainCustomer(input: { names: ${domains}, customer: "acme" }) { errors { code } } }`,
      );
    const found = async () =>
      (await entriesOf(gateway, '(filter: { operation: "setDomainCustomer" })')).map(
        ({ domainName, outcome }) => [domainName, outcome],
      );
    await set('["reseller-demo.com"]');
    expect(await found()).toEqual([['reseller-demo.com', 'OK']]);
    await set('["reseller-demo.com", "RESELLER-demo.com.", "unlocked-demo.com"]');
    await set('["reseller-demo.com", "not-owned.com"]');

    expect(await found()).toEqual([
      [null, 'NOT_FOUND'],
      ['unlocked-demo.com', 'OK'],
      ['reseller-demo.com', 'OK'],
      [null, 'OK'],
      ['reseller-demo.com', 'OK'],
    ]);
  });

  test('is filtered, and read in pages, newest first', async () => {
    await send(unlock);
    await send(unlock);
    const all = await entriesOf(gateway);
    const page = async (args: string) => {
      const fields = 'totalCount nodes { position } pageInfo { hasNextPage endCursor }';
      const { data } = await gateway.query(
        `{ auditLog(${args}) { ${fields} } }`,
        {},
        by('auditor'),
      );
      return data.auditLog;
    };

    const filter =
      'filter: { operation: "disableTransferLock", domain: "unlocked-demo.com", outcome: "OK", caller: "everything" }';
    const { endCursor } = (await page(`first: 1, ${filter}`)).pageInfo;
    expect(await page(`first: 5, after: "${endCursor}", ${filter}`)).toMatchObject({
      ...{ totalCount: 2, pageInfo: { hasNextPage: false } },
      nodes: all
        .filter(({ operation, outcome }) => operation === 'disableTransferLock' && outcome === 'OK')
        .slice(1)
        .map(({ position }) => ({ position })),
    });
    const startedAt = all[0]?.startedAt;
    expect((await page(`filter: { at: { until: "${startedAt}" } }`)).totalCount).toBeLessThan(
      all.length,
    );
    const bad = await gateway.query('{ auditLog(after: "x") { totalCount } }', {}, by('auditor'));
    expect(bad.errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
  });

  test('is a file with the same entries', async () => {
    const download = async (query = '') => {
      const file = await fetch(`${gateway.url}/export/audit.csv${query}`, {
        headers: by('auditor'),
      });
      expect(file.status).toBe(200);
      return csvObjects(await file.text());
    };
    const rows = await download();
    const shown = (await entriesOf(gateway)).map(({ domainName, ...entry }) => ({
      ...entry,
      domain: domainName,
    }));
    const asText = shown.map((entry) =>
      Object.fromEntries(
        Object.entries(entry).map(([name, value]) => [name, value === null ? '' : String(value)]),
      ),
    );
    expect(rows).toEqual(asText.map((entry) => expect.objectContaining(entry)));

    const at = rows[1]?.startedAt ?? '';
    expect(await download(`?since=${at}`)).toEqual(
      rows.filter(({ startedAt = '' }) => startedAt >= at),
    );
    expect(await download(`?until=${at}`)).toEqual(
      rows.filter(({ startedAt = '' }) => startedAt < at),
    );
  });

  test('has the writes of commands', async () => {
    const run = (command: string, ...args: readonly string[]) =>
      runCommand(`src/cli/${command}`, { DATA_DIR: folder }, args);
    const file = join(folder, 'rows.csv');
    await writeFile(file, 'domain,customer,label:team\nreseller-demo.com,north,blue\nnew.com,,\n');
    await run('feature', 'domains', 'import', file);
    await run('purchases', 'stop', 'Ask Ada.');
    await run('purchases', 'start');

    const entries = await entriesOf(gateway, '(filter: { caller: "command line" })');
    expect(
      entries.map(({ operation, domainName, outcome }) => [operation, domainName, outcome]),
    ).toEqual([
      ['purchases.start', null, 'OK'],
      ['purchases.stop', null, 'OK'],
      ['labelDomains', 'reseller-demo.com', 'OK'],
      ['setDomainCustomer', 'reseller-demo.com', 'OK'],
      ['domains.import', null, 'OK'],
    ]);
  });

  test('is verified by a command, which finds a changed entry', async () => {
    const env = { DATA_DIR: folder };
    const intact = await runCommand('src/cli/feature', env, ['audit', 'verify']);
    const [, position = '', last = ''] =
      / position (\d+), with the hash (\w+)\./.exec(intact.stdout) ?? [];
    const known = await runCommand('src/cli/feature', env, ['audit', 'verify', position, last]);
    const another = await runCommand('src/cli/feature', env, [
      'audit',
      'verify',
      position,
      '0'.repeat(64),
    ]);
    const odd = await runCommand('src/cli/feature', env, ['audit', 'verify', position]);
    const database = new DatabaseSync(journalOf(folder));
    database.exec("update audit_entries set caller = 'another' where position = 2");
    database.close();
    const changed = await runCommand('src/cli/feature', env, ['audit', 'verify']);

    const [{ hash } = { hash: '' }] = await entriesOf(gateway, '(first: 1)');
    expect(intact).toMatchObject({ exitCode: 0, stderr: '' });
    expect(intact.stdout).toMatch(/^The audit log of sandbox:demo is intact: \d+ rows up to/);
    expect(known).toEqual(intact);
    expect(another).toMatchObject({ exitCode: 1, stderr: '' });
    expect(another.stdout).toContain(`at position ${position} is not the one with this hash.`);
    expect(odd).toMatchObject({ exitCode: 2, stdout: '' });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(changed).toMatchObject({
      exitCode: 1,
      stdout: 'The audit log of sandbox:demo is not intact: the row at position 2 was changed.\n',
    });
  });
});

describe('while the journal cannot be written', () => {
  const clean: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const one of clean.splice(0).toReversed()) await one();
  });
  const start = async (env: Record<string, string>) => {
    const folder = await newFolder('audit');
    clean.push(() => rm(folder, { recursive: true, force: true }));
    const gateway = await startTestGateway({
      sandboxDomains: 10,
      env: { DATA_DIR: folder, METRICS_PORT: '0', ...env },
    });
    clean.push(() => gateway.close());
    await rm(`${journalOf(folder)}-wal`);
    return gateway;
  };
  const set =
    'mutation { setPrivacyProtection(input: { domain: "unlocked-demo.com", privacyProtected: true }) { errors { code message executed } } }';

  test('no write is sent, and no auth code is shown', async () => {
    const gateway = await start({});

    const written = await gateway.query(set);
    const read = await gateway.query(
      '{ domain(name: "reseller-demo.com") { name authCode contacts { registrant { email } } } }',
    );
    const placed = await gateway.query(
      'mutation { placeOrder(input: { idempotencyKey: "key", lines: [{ transfer: { domain: "outside-a.com", authCode: "Transfer-Code-01" } }] }) { keyUsed replayed errors { code } } }',
    );

    expect(written.data.setPrivacyProtection.errors).toMatchObject([
      { code: 'JOURNAL_UNAVAILABLE', executed: 'NO' },
    ]);
    expect(await gateway.countCalls()).not.toHaveProperty('modifyprivacystatus');
    expect(read.data.domain).toEqual({
      ...{ name: 'reseller-demo.com', authCode: null },
      contacts: { registrant: { email: expect.any(String) } },
    });
    expect(read.errors).toMatchObject([
      { path: ['domain', 'authCode'], extensions: { code: 'JOURNAL_UNAVAILABLE' } },
    ]);
    expect(placed.data.placeOrder).toEqual({
      ...{ keyUsed: true, replayed: false, errors: [{ code: 'JOURNAL_UNAVAILABLE' }] },
    });
  });

  test('both work without entries when the audit is not required, and the missing entries are reported', async () => {
    const gateway = await start({ AUDIT_REQUIRED: 'false' });

    const written = await gateway.query(set);
    const read = await gateway.query('{ domain(name: "reseller-demo.com") { authCode } }');

    expect(written.data.setPrivacyProtection.errors).toEqual([]);
    expect(read.data.domain.authCode).toEqual(expect.any(String));
    const lost = gateway.lines.filter(
      ({ msg }) => msg === 'an entry of the audit log is not stored',
    );
    expect(lost.length).toBeGreaterThanOrEqual(2);
    expect(await (await fetch(`${gateway.metricsUrl}/metrics`)).text()).toMatch(
      /reseller_graph_audit_entries_lost_total\{tenant="default"\} [23]/,
    );
  });
});

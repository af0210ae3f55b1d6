/** The account of all rows. */
export const account = 'sandbox:demo';

/** The first of all times, and the time that half of the rows share. */
export const [firstTime, sharedTime] = ['2025-10-10T10:10:00.000Z', '2030-10-10T10:10:00.000Z'];

/**
 * The statements that fill the tables of a journal, on both databases: `rows` entries of the audit log, and the others in proportion.
 * Most rows have one caller, one state and one type, and half of them one time. Work that is due was never done.
 */
export function fillingStatements(rows: number): readonly string[] {
  const sizes = {
    entries: rows,
    purchases: 0.3 * rows,
    events: 0.3 * rows,
    approvals: 0.12 * rows,
    items: 0.3 * rows,
    attempts: 0.2 * rows,
    domains: 0.3 * rows,
  };
  return tablesOf(sizes).map(([table, columns, count]) => {
    const names = Object.keys(columns).map((name) => `"${name}"`);
    return `
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${Math.max(1, Math.floor(count))})
      insert into ${table} (account, ${names}) select '${account}', ${Object.values(columns)} from n`;
  });
}

/** Most rows have the first value, one in a hundred each of the others. */
const mostly = (first: string, ...others: readonly string[]) =>
  `case i % 100 ${others.map((value, at) => `when ${at + 1} then ${value}`).join(' ')} else ${first} end`;

/** A text of the length of a hash, or of an id behind a prefix. */
const numbered = (prefix: string, number = 'i') =>
  `'${prefix.padEnd(prefix === '' ? 54 : 26, '0')}' || (1000000000 + ${number})`;
const text = (...values: readonly string[]) => values.map((value) => `'${value}'`);
/** Later for each row, but half of the rows have the same time. Each part of a time has two digits. */
const time = (minutes = '0') => {
  const at = `(i / 2 + ${minutes})`;
  const later = `(2025 + ${at} / 37800) || '-' || (10 + ${at} / 12600 % 3) || '-' || (10 + ${at} / 700 % 18)`;
  return `case when i % 2 = 0 then '${sharedTime}' else (${later} || 'T' || (10 + ${at} / 50 % 14) || ':' || (10 + ${at} % 50) || ':00.000Z') end`;
};
const caller = mostly("'shop'", ...text('rare'), "'caller' || (i % 5000)");
const customer = mostly('null', ...text('acme'), "'customer' || (i % 5000)");
const domain = "'name-' || i || '.com'";
/** Of an outbox. */
const event = JSON.stringify({
  ...{ id: 'event', type: 'PURCHASE_SETTLED', subject: 'name-1.com', purchaseId: 'purchase' },
}).replace('"event"', `"event-' || i || '"`);
const itemsPerJob = 15;
/** One job has a part of all items: 2,000 of 300,000. */
const largeJobShare = 150;
const jobOfItem = `i / ${itemsPerJob}`;

type Table = readonly [name: string, columns: Readonly<Record<string, string>>, count: number];

function tablesOf(sizes: Readonly<Record<string, number>>): readonly Table[] {
  const { entries = 0, purchases = 0, events = 0, approvals = 0 } = sizes;
  const { items = 0, attempts = 0, domains = 0 } = sizes;
  const size = Math.floor(items / largeJobShare);
  return [
    [
      'audit_logs',
      { position: '0', hash: "''", deleted_until: '0', deleted_hash: "''", input_key: "'00'" },
      1,
    ],
    [
      'audit_entries',
      {
        position: 'i',
        at: time(),
        // A third of the operations have a row for their end.
        begun: 'case when i % 4 = 0 then i - 1 end',
        operation: "case when i % 4 <> 0 then 'setNameServers' end",
        domain: "case when i % 4 <> 0 then 'name-' || (i % 100000) || '.com' end",
        caller: `case when i % 4 <> 0 then ${caller} end`,
        customer: `case when i % 4 <> 0 then ${customer} end`,
        tenant: "case when i % 4 <> 0 then 'bench' end",
        request_id: `case when i % 4 <> 0 then ${numbered('')} end`,
        input_hash: `case when i % 4 <> 0 then ${numbered('')} end`,
        outcome: `case when i % 4 <> 3 then ${mostly("'EXECUTED'", ...text('REFUSED'))} end`,
        upstream_calls: '1',
        previous_hash: numbered('', 'i - 1'),
        hash: numbered(''),
      },
      entries,
    ],
    [
      'purchases',
      {
        id: numbered('purchase-'),
        ordinal: 'i',
        kind: "case when i % 10 = 0 then 'TRANSFER' else 'REGISTRATION' end",
        domain,
        key: "'key-' || i",
        fingerprint: numbered(''),
        caller,
        customer,
        order_id: `case when i < ${size} then 'large' when i % 3 = 0 then ${numbered('job-', jobOfItem)} end`,
        order_line: `case when i < ${size} then i when i % 3 = 0 then i % ${itemsPerJob} end`,
        period: '1',
        cost_amount: "'11.29'",
        cost_currency: "'USD'",
        spend: '112900',
        state: mostly("'SUCCEEDED'", ...text('FAILED', 'UNKNOWN', 'IN_PROGRESS', 'PENDING')),
        claimed_at: time(),
        submitted_at: time(),
        accepted_at: time('1'),
        settled_at: `case when i % 100 in (3, 4) then null else ${time('1')} end`,
        next_read_at: `case when i % 100 = 3 then '${sharedTime}' end`,
        refunded: 'case when i % 100 = 1 then 1 end',
      },
      purchases,
    ],
    [
      'events',
      {
        position: 'i',
        id: numbered('event-'),
        type: mostly("'NAME_SERVERS_CHANGED'", ...text('DOMAIN_ADDED', 'EXPIRY_CHANGED')),
        at: time(),
        subject: "'name-' || (i % 50000) || '.com'",
        domain: "'name-' || (i % 50000) || '.com'",
        source: "'UPSTREAM'",
        customer,
        after: "'ns1.example.com ns2.example.com'",
      },
      events,
    ],
    [
      'outbox',
      {
        events: `'${event}'`,
      },
      purchases,
    ],
    ...jobTables(items, approvals, size),
    ...webhookTables(attempts),
    ...domainTables(domains),
  ];
}

const jobTables = (items: number, approvals: number, size: number): readonly Table[] => [
  [
    'jobs',
    {
      id: numbered('job-'),
      caller,
      customer,
      kind: mostly("'ORDER'", ...text('BULK_CHANGE')),
      key: "'key-' || i",
      options: "'{}'",
      created_at: time(),
    },
    // The last items have none.
    (0.99 * items) / itemsPerJob,
  ],
  [
    'jobs',
    {
      ...{ id: "'large'", kind: "'BULK_CHANGE'", key: "'large'", options: "'{}'" },
      created_at: `'${sharedTime}'`,
    },
    1,
  ],
  [
    'job_items',
    {
      // One job has many.
      job_id: `case when i < ${size} then 'large' else ${numbered('job-', jobOfItem)} end`,
      position: `case when i < ${size} then i else i % ${itemsPerJob} end`,
      kind: "'ORDER'",
      domain,
      fingerprint: numbered(''),
      // A third waits for a time that does not come.
      state:
        "case i % 30 when 1 then 'HELD' when 2 then 'BEGUN' else case when i % 3 = 0 then 'WAITING' else 'DONE' end end",
      held_by: "case when i % 30 = 1 then 'approval' end",
      facts: "'{}'",
      outcome: "case when i % 3 > 0 and i % 30 > 2 then 'SUCCEEDED' end",
      details: "case when i % 3 > 0 and i % 30 > 2 then '{}' end",
      owner: "case when i % 30 = 2 then 'process-' || (i % 500) end",
      fence: '1',
      due_at: `'2100-01-01T00:00:00.000Z'`,
      created_at: `'${sharedTime}'`,
    },
    items,
  ],
  [
    'approvals',
    {
      id: numbered('job-'),
      operation: "'ORDER'",
      // The last of those that wait have none.
      job_kind: `case when i % 12 = 0 or (i % 3 = 0 and i < ${(0.99 * items) / itemsPerJob}) then 'ORDER' end`,
      caller,
      customer,
      rule: "'{}'",
      fingerprint: numbered(''),
      count: '1',
      requested_at: time(),
      expires_at: `case when i % 12 in (0, 1) then '${sharedTime}' else '2100-01-01T00:00:00.000Z' end`,
      state:
        "case i % 12 when 0 then 'REQUESTED' when 1 then 'REQUESTED' when 2 then 'GRANTED' else 'USED' end",
    },
    approvals,
  ],
];

const attemptsPerWebhook = 2_000;

const webhookTables = (attempts: number): readonly Table[] => [
  [
    'webhooks',
    {
      id: "'webhook-' || i",
      source: "'API'",
      url: "'https://example.com/' || i",
      types: "'[]'",
      secret: "'secret'",
      created_at: time(),
      revision: '0',
      state: "'ACTIVE'",
      position: '0',
      failures: '0',
    },
    attempts / attemptsPerWebhook + 1,
  ],
  [
    'webhook_attempts',
    {
      webhook_id: `'webhook-' || (1 + i / ${attemptsPerWebhook})`,
      id: numbered('attempt-'),
      kind: "'DELIVERY'",
      event_id: numbered('event-'),
      event_type: "'NAME_SERVERS_CHANGED'",
      at: time(),
      duration_ms: '12',
      number: '1',
      status: '200',
    },
    attempts,
  ],
];

const domainTables = (domains: number): readonly Table[] => [
  [
    'known_domains',
    {
      domain: "'name-' || (i + i % 2 * 1000000000) || '.com'",
      source: "'LISTED'",
      listed: 'case when i % 3 > 0 then 1 else 0 end',
      added_at: time(),
      due_at: `'2099-01-01T00:00:00.000Z'`,
    },
    domains,
  ],
  ['domain_customers', { domain, customer: "'customer' || (i % 3)", since: time() }, domains],
  [
    'domain_labels',
    { domain, name: "'project'", value: mostly("'main'", ...text('rare')), since: time() },
    domains,
  ],
  ['watched_subjects', { subject: domain, seen: "'{}'" }, domains],
  [
    'domain_writes',
    { id: "'write-' || i", domain, field: "'nameServers'", value: "'ns1'", at: time() },
    domains / 60,
  ],
  [
    'contact_profiles',
    {
      id: "'profile-' || i",
      customer: "'customer' || (i % 5000)",
      name: "'name' || i",
      contact: "'{}'",
      created_at: time(),
      updated_at: time(),
    },
    domains / 15,
  ],
  [
    'purchase_defaults',
    { customer: "'customer' || i", profile_id: "'profile-' || i" },
    domains / 60,
  ],
  [
    'calendar_feeds',
    {
      id: "'feed-' || i",
      customer: "'customer' || (i % 500)",
      name: "'feed'",
      labels: "'[]'",
      secret_sha256: numbered(''),
      created_at: time(),
    },
    domains / 60,
  ],
  [
    'handles',
    {
      id: numbered(''),
      caller: "'caller' || (i % 1000)",
      tool: "'quote'",
      input: "''",
      expires_at: `case when i % 10 = 0 then '${sharedTime}' else '2100-01-01T00:00:00.000Z' end`,
    },
    domains / 3,
  ],
];

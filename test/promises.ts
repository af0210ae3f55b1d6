/** What a user is promised, and the tests that fail when it does not hold. */
export interface PromiseRow {
  readonly id: string;
  /** A sentence of the README, a rule of the graph, or a promise of events, webhooks or tools. Null: the row with this id in docs/purchases.md. */
  readonly promise: string | null;
  /** Titles by test file below `test/`, as in the source; `…` stands for a value in a title. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

const oncePerPurchase = {
  'simulation/simulation.test.ts': [
    'no promise is broken in … schedules, and every kind of fault occurs',
  ],
  'simulation/crash-points.test.ts': ['a crash at any step breaks no promise, …: %s'],
  'processes/killed-gateway.test.ts': [
    'finds the outcome of its purchase after the next start, with a SQLite journal',
    'finds the outcome of its purchase after the next start, with a PostgreSQL journal',
  ],
  'processes/replicas.test.ts': [
    'three replicas that all get each key send one call for each of … purchases and lose none, while one is killed every … ms',
  ],
};
const verifiedByReading = {
  'graph/purchases/unknown-outcome.test.ts': [
    'a purchase that was made is found by a read when its reply is lost or damaged:',
    'a purchase that the upstream makes after the timeout is found by a read by id and by key',
  ],
  'graph/purchases/verified.test.ts': [
    'a purchase that the upstream made is never reported as FAILED, whatever refusal it sends:',
    'an OK reply that contradicts the purchase is no success:',
  ],
};
const failedIsFinal = {
  ...verifiedByReading,
  'graph/purchases/unknown-outcome.test.ts': [
    'a purchase without a reply that no read finds is never reported as FAILED and never sent again:',
  ],
  'graph/purchases/quiet-window.test.ts': [
    'a purchase that the upstream never received is FAILED only after the quiet window and two reads',
  ],
};

/** Sentences of README.md. Each one of the sections in `test/architecture/promise-index.ts` needs a row. */
const ofReadme: readonly PromiseRow[] = [
  {
    id: 'R1',
    promise: 'It needs no account and no settings, and nothing costs money:',
    tests: {
      'docs/readme.test.ts': ['has a query with the response of a new sandbox'],
      'config/config.test.ts': ['an empty environment is an open sandbox on this machine'],
    },
  },
  {
    id: 'R2',
    promise: 'It needs npm and Node 20 or newer.',
    tests: {
      'docs/node-version.test.ts': [
        'Node %s is refused with one sentence',
        'Node 24.15 and 26 run the program with its arguments',
        'npm ci installs the Node of the scripts on Linux',
      ],
    },
  },
  {
    id: 'R3',
    promise:
      '`npm run demo` kills a gateway in the middle of two purchases and prints how each one settles.',
    tests: {
      'processes/demo.test.ts': ['the demo shows a completed and a lost purchase, each sent once'],
    },
  },
  {
    id: 'R4',
    promise: 'One typed graph over both APIs.',
    tests: {
      'upstream/decoders.test.ts': [
        'every action has a specified reply, and every call a request',
        '%s sends every field that the specification names',
      ],
      'docs/upstream-calls.test.ts': ['$field costs $calls'],
    },
  },
  {
    id: 'R5',
    promise: 'schema.graphql describes every type, field and argument.',
    tests: {
      'docs/schema.test.ts': [
        'schema.graphql is the graph of the code',
        'every type, field, argument, input and enum value has a description',
      ],
    },
  },
  {
    id: 'R6',
    promise:
      'Availability checks are batched, identical reads share a call, and reads are cached for a short time.',
    tests: {
      'graph/reads/shared-calls.test.ts': [
        'for 50 names that arrive together are one bulk call',
        'by %s is one upstream call',
      ],
      'graph/reads/reply-cache.test.ts': ['a reply is cached for its maximum age and no longer:'],
    },
  },
  {
    id: 'R7',
    promise:
      'The gateway counts the upstream calls of a document before it executes it, and refuses documents above a limit.',
    tests: {
      'server/cost-limit.test.ts': [
        'a document whose cost exceeds the limit is refused before any upstream call',
        'a deferred query and a subscription above the limit are refused',
      ],
      'graph/reads/counted-calls.test.ts': ['no query causes more upstream calls than its cost'],
      'graph/reads/portfolio-snapshot.test.ts': [
        'auth codes at a cost that is counted before execution',
      ],
    },
  },
  {
    id: 'R8',
    promise: 'A purchase is sent to the registrar at most once, also after a crash.',
    tests: oncePerPurchase,
  },
  { id: 'R9', promise: 'Its outcome is verified by reading.', tests: verifiedByReading },
  {
    id: 'R10',
    promise: 'Each error has a stable code.',
    tests: {
      'errors/upstream-codes.test.ts': ['an upstream code is reported as'],
      'errors/top-level.test.ts': [
        'a failed read reports code, retryable, executed NO and its request id',
        'a request without a key is refused with UNAUTHENTICATED',
      ],
      'errors/members.test.ts': ['%s has exactly its own type'],
      'docs/schema.test.ts': ['schema.graphql is the graph of the code'],
      'docs/schema-diff.test.ts': [
        'the graph of this repository has no breaking change without a reason and no stale reason',
      ],
    },
  },
  {
    id: 'R11',
    promise:
      '`executed` reports whether the registrar may have acted, `retryable` whether a retry can help.',
    tests: {
      'errors/upstream-codes.test.ts': ['an upstream code is reported as'],
      'errors/top-level.test.ts': [
        'a failed read reports code, retryable, executed NO and its request id',
      ],
      'upstream/odd-replies.test.ts': [
        'is never reported as not executed, unless its body has a listed refusal and its status is below 500',
      ],
    },
  },
  {
    id: 'R12',
    promise:
      'API keys, JWT, scopes per field, spend limits, and several reseller accounts (tenants) behind one gateway.',
    tests: {
      'server/api-key.test.ts': ['the key gives access to the graph'],
      'access/tokens.test.ts': ['a token of an issuer identifies the caller and its scopes'],
      'access/scopes.test.ts': ['without the scope no upstream call is made: %s'],
      'graph/purchases/spend-limits.test.ts': [
        'a purchase above a limit is refused, and the error names the limit:',
      ],
      'tenants/tenants.test.ts': [
        'the same concurrent query is one upstream call per tenant, with the login of the tenant',
      ],
    },
  },
  {
    id: 'R13',
    promise:
      'Logs, traces, metrics with alerts, several replicas, and a graph that fits into Federation 2 and schema stitching.',
    tests: {
      'observability/watched.test.ts': [
        'has one log line with caller, operation, cost and outcome, and one line per upstream call',
        'connects client, request, operation and upstream call: %s',
        'count requests, errors, calls and cache reads, with labels from closed lists',
      ],
      'observability/dashboard.test.ts': ['every metric and label of an alert exists'],
      'processes/three-machines.test.ts': [
        'show the writes of one gateway on all of them',
        'settle the purchase of a killed gateway, and buy each name once',
      ],
      'supergraph/federated.test.ts': [
        'domains that the neighbour lists are completed in its order, null for a domain of no account',
      ],
      'supergraph/stitched.test.ts': [
        'domains that the neighbour lists are completed by one domainsByName in its order, null for unknown ones',
      ],
    },
  },
  {
    id: 'R14',
    promise:
      'A sandbox of the reseller, with its own database, prices, clock and faults that a domain name selects.',
    tests: {
      'sandbox/persistence.test.ts': ['has the same data and clock after a restart'],
      'sandbox/admin.test.ts': ['sets the clock, which continues from there'],
      'sandbox/money.test.ts': [
        'are debited the exact price of a registration, in the currency of the TLD',
      ],
      'sandbox/faults-by-name.test.ts': [
        '%s- causes the fault in every call about the name, in upper and lower case',
      ],
      'referee/domain-api.test.ts': ['the reply of the sandbox has the specified shape'],
    },
  },
  {
    id: 'R15',
    promise: 'A test measures every row against the sandbox.',
    tests: {
      'docs/upstream-calls.test.ts': ['$field costs $calls'],
      'docs/tables.test.ts': [
        'the table of costs has every root field once and only fields of the schema',
      ],
    },
  },
  {
    id: 'R16',
    promise: '`SUCCEEDED`: The account owns the domain.',
    tests: {
      'graph/purchases/registration.test.ts': [
        'a registration returns SUCCEEDED, debits the quoted price and sends one purchase',
      ],
      'graph/purchases/transfer-end.test.ts': [
        'a transfer is IN_PROGRESS until the domain arrives, and then COMPLETED',
      ],
    },
  },
  {
    id: 'R17',
    promise:
      '`FAILED`: The domain was not bought; `errors` has the reasons. Nothing was spent, except for a transfer without refund.',
    tests: {
      'graph/purchases/upstream-refusals.test.ts': [
        'a refusal that only the upstream can make is FAILED and debits nothing:',
      ],
      'graph/purchases/transfer-end.test.ts': [
        'a cancelled transfer without a refund is FAILED, with refunded false',
      ],
    },
  },
  {
    id: 'R18',
    promise:
      '`IN_PROGRESS`: The registrar accepted the transfer, which takes about five days. The price is spent.',
    tests: {
      'graph/purchases/transfer.test.ts': [
        'a transfer is in progress once it is paid, and completes after the days of the registry: %s',
      ],
    },
  },
  {
    id: 'R19',
    promise:
      '`PENDING`: The outcome is not known yet. Do not buy again; the gateway continues to read the domain.',
    tests: {
      'graph/purchases/unknown-outcome.test.ts': [
        'a purchase without a reply that no read finds is never reported as FAILED and never sent again:',
      ],
      'graph/purchases/quiet-window.test.ts': [
        'the reconciler settles a purchase that the upstream makes late, without a client and without a second call',
      ],
    },
  },
  {
    id: 'R20',
    promise: '`UNKNOWN`: The outcome could not be determined. A person has to check.',
    tests: {
      'graph/purchases/quiet-window.test.ts': [
        'a purchase whose outcome cannot be determined is UNKNOWN and tells the client what to do',
      ],
    },
  },
  {
    id: 'R21',
    promise: 'The same idempotency key with the same input is one purchase.',
    tests: {
      'graph/purchases/concurrent-purchases.test.ts': [
        'ten concurrent requests with one key make one purchase, and all return it',
      ],
      'graph/purchases/idempotency.test.ts': [
        'a repeated key with equivalent input replays the purchase without an upstream call',
      ],
    },
  },
  {
    id: 'R22',
    promise:
      'An npm package without dependencies, with the command `reseller-graph` and a library that serves the graph inside another Node server (embedding).',
    tests: {
      'package/packed.test.ts': [
        'it has no dependencies, and cannot be published by accident',
        'its command starts a gateway that responds to the first query of the README',
        'serves the graph in the example of %s',
      ],
      'package/create-gateway.test.ts': [
        'to %s',
        'an aborted request rejects, and its upstream call is cancelled',
        'two gateways in one process have their own settings, data and end',
      ],
    },
  },
];

/** The promises of docs/purchases.md. */
const ofPurchases: readonly PromiseRow[] = [
  {
    id: 'I1',
    promise: null,
    tests: {
      ...oncePerPurchase,
      'graph/purchases/journal.test.ts': [
        'the state SENDING is on disk before the upstream receives the call',
      ],
      'persistence/sqlite.test.ts': ['commits are synced to disk'],
    },
  },
  {
    id: 'I2',
    promise: null,
    tests: {
      'graph/purchases/concurrent-purchases.test.ts': [
        'of two concurrent keys for one domain one buys; the other gets a conflict that names the purchase',
      ],
      'graph/purchases/idempotency.test.ts': [
        'a second key for a domain with an open purchase is refused, and the error names that purchase',
      ],
      'graph/purchases/transfer-end.test.ts': [
        'a second transfer of a domain is refused while the first is in progress, and the error names it',
      ],
    },
  },
  {
    id: 'I3',
    promise: null,
    tests: {
      'graph/purchases/verified.test.ts': [
        'an OK reply that contradicts the purchase is no success:',
      ],
      'graph/purchases/ownership.test.ts': [
        'a domain that the account got outside the gateway is not reported as this purchase, and nothing is sent',
      ],
      'graph/purchases/transfer-end.test.ts': [
        'a transfer is IN_PROGRESS until the domain arrives, and then COMPLETED',
      ],
      'modules/purchase/ownership.test.ts': ['does not come from that registration'],
      'upstream/odd-replies.test.ts': [
        'is never reported as bought, unless both body and status are a success',
      ],
    },
  },
  {
    id: 'I4',
    promise: null,
    tests: {
      ...failedIsFinal,
      'graph/purchases/ownership.test.ts': [
        'a wall clock that jumps by a day does not make a purchase FAILED',
      ],
      'graph/purchases/two-gateways.test.ts': [
        'the quiet window of the sending gateway applies to all gateways, and a success after FAILED is logged as an error',
      ],
    },
  },
  {
    id: 'I5',
    promise: null,
    tests: {
      'graph/purchases/quiet-window.test.ts': [
        'a purchase whose outcome cannot be determined is UNKNOWN and tells the client what to do',
        'a purchase that is open when the gateway stops is settled at the next start',
      ],
      'graph/purchases/transfer-end.test.ts': [
        'a restarted gateway follows the transfers that were in progress',
      ],
      'simulation/simulation.test.ts': [
        'no promise is broken in … schedules, and every kind of fault occurs',
      ],
    },
  },
  {
    id: 'I6',
    promise: null,
    tests: {
      'graph/purchases/idempotency.test.ts': [
        'a repeated key with equivalent input replays the purchase without an upstream call',
        'a key of a registration conflicts with a transfer',
        'keys of successful and failed purchases are replayed after a restart',
      ],
      'modules/registration/idempotency.test.ts': ['differs by the kind of the purchase'],
      'graph/purchases/spellings.test.ts': [
        'is replayed for every spelling of the same input, without an upstream call',
        'is refused for any other input, without an upstream call',
      ],
      'access/own-purchases.test.ts': [
        'an idempotency key of another caller is a conflict that reveals nothing and buys nothing',
      ],
    },
  },
  {
    id: 'I7',
    promise: null,
    tests: {
      'graph/purchases/quote-rows.test.ts': [
        'the sandbox never debits a price outside the quote, for any price list and either pricing rule',
      ],
      'graph/purchases/quotes.test.ts': [
        'a TLD that multiplies the first year debits the lowest price, and the purchase records the highest',
        'a period that the catalogue lists has a LISTED quote',
      ],
      'simulation/simulation.test.ts': [
        'no promise is broken in … schedules, and every kind of fault occurs',
      ],
    },
  },
  {
    id: 'I8',
    promise: null,
    tests: {
      'secrets/canary.test.ts': [
        'returns no secret in an error',
        'writes no secret to its output, its metrics and its spans',
        'stores on disk no secret but the account and the idempotency keys, which the journal needs',
      ],
      'errors/nothing-leaks.test.ts': [
        'no part of a hostile body reaches a client or the log',
        'the error of a refused login does not contain the login',
      ],
      'graph/writes/account-token.test.ts': [
        'the Domain API receives no token, and the Account API receives no login',
      ],
    },
  },
  {
    id: 'S1',
    promise: null,
    tests: {
      'access/scopes.test.ts': [
        'without the scope no upstream call is made: %s',
        'without contacts:read every path to contacts is refused before an upstream call',
        'the domain in the payload of a write needs the scope to read it',
      ],
      'access/scopes-of-fields.test.ts': [
        'every query, mutation and subscription names the scope that it needs',
        'no path of fields leads to %s without one of %j',
      ],
    },
  },
  {
    id: 'S2',
    promise: null,
    tests: {
      'tenants/interleavings.test.ts': [
        'responses, calls, purchases and money of a tenant never reach another, in any order of requests',
      ],
      'tenants/tenants.test.ts': [
        'the same key makes a purchase per tenant, which other tenants do not find',
        'a subscription to a purchase of another tenant is NOT_FOUND',
      ],
    },
  },
  {
    id: 'S3',
    promise: null,
    tests: {
      'server/cost-limit.test.ts': [
        'a document whose cost exceeds the limit is refused before any upstream call',
        'retries of a failed read do not use the calls of other reads',
        'invalid names in a bulk check cause no calls above the limit',
      ],
      'kernel/call-budget.test.ts': [
        'has no call left after the last one',
        'reserves the planned calls',
      ],
      'graph/reads/counted-calls.test.ts': ['no query causes more upstream calls than its cost'],
      'graph/reads/portfolio-snapshot.test.ts': [
        'auth codes at a cost that is counted before execution',
      ],
    },
  },
  {
    id: 'S4',
    promise: null,
    tests: {
      'abuse/abuse.test.ts': [
        'refuses every input of the kind %s, or serves it within the limits, reveals nothing, makes no upstream call and serves other requests',
        'ends slow requests and serves other clients in the meantime',
      ],
      'server/hidden-schema.test.ts': [
        '$document with $variables is refused without a name of the graph that it lacks',
      ],
    },
  },
  {
    id: 'S5',
    promise: null,
    tests: {
      'server/request-queue.test.ts': [
        'at three times its capacity the gateway serves at least 90 % of the capacity within the budget, refuses no purchase and starts purchases within two turns',
        'when purchases alone exceed the capacity, other requests are refused first',
      ],
      'server/overload.test.ts': [
        'a request whose expected wait exceeds the budget is refused at once with Retry-After',
      ],
      'graph/upstream/overload.test.ts': [
        '64 clients that each wait for their response are never refused with the default settings',
        'requests that would wait longer than the budget are refused without a call, but reads of purchases are not',
        'an idle gateway serves a page of one client with any number of queued calls, and other clients wait',
      ],
    },
  },
  {
    id: 'S6',
    promise: null,
    tests: {
      'processes/three-machines.test.ts': [
        'serve every request while Valkey is down under load, and share invalidations again afterwards',
        'buy nothing without PostgreSQL, continue to read, and buy again once it is back',
        'settle the purchase of a killed gateway, and buy each name once',
      ],
    },
  },
  {
    id: 'S7',
    promise: null,
    tests: {
      'processes/rolling-restarts.test.ts': [
        'during … rolling restarts under load no read fails, each purchase has an outcome and each stream completes',
      ],
      'processes/stop-signals.test.ts': [
        'one %s for the process group of npm start lets a read and a purchase finish',
      ],
      'graph/purchases/settled-stream.test.ts': [
        'a gateway that stops completes its subscriptions and does not wait for them',
      ],
    },
  },
];

/** The rules of the graph, which hold for every type and field. */
const ofGraph: readonly PromiseRow[] = [
  {
    id: 'G1',
    promise:
      'A domain is its lower-case ASCII name, however it is written. `upstreamId` is null when the registrar sends 0 or an empty text.',
    tests: {
      'graph/reads/domain-calls.test.ts': [
        'a domain that a document requests in five ways and three spellings is one getdetails',
      ],
      'kernel/domain-name.test.ts': [
        'case, surrounding whitespace and a trailing dot do not change a name',
      ],
      'graph/reads/odd-replies.test.ts': ['with the number %j has a null upstreamId'],
    },
  },
  {
    id: 'G2',
    promise:
      '`node` and `nodes` resolve every id of the graph in order; an unknown or malformed id is null.',
    tests: {
      'graph/reads/nodes.test.ts': [
        'a %s is found by its id',
        'nodes are in the order of their ids, null for an object that does not exist',
        'a malformed id is null in its position without an upstream call: %j',
      ],
      'graph/purchases/purchase-reads.test.ts': [
        'a purchase is the same by id, by key and as a node, %s, without an upstream call',
      ],
    },
  },
  {
    id: 'G3',
    promise:
      'A name is accepted in Unicode or ASCII, in any case, with a trailing dot and blanks around it, and is returned as its A-label.',
    tests: {
      'graph/reads/domain-values.test.ts': [
        '%j finds the domain, which has its A-label and its Unicode name',
      ],
      'graph/reads/availability-values.test.ts': [
        'a name is returned as its A-label and in Unicode unless it is a lookalike:',
      ],
      'kernel/domain-name.test.ts': ['a name parses to itself from its ASCII and its Unicode form'],
    },
  },
  {
    id: 'G4',
    promise:
      'Text that can never be a name is refused with one sentence that repeats it, shortened. The bounds of a TLD are not syntax: they make a name `INVALID`.',
    tests: {
      'graph/reads/bad-input.test.ts': ['a domain name of %s is refused'],
      'kernel/domain-name.test.ts': [
        'an invalid name is refused with the message of its rule:',
        'any text is a name that parses to itself, or a Fault with one sentence',
      ],
      'graph/reads/consistent-availability.test.ts': [
        'a name has the same result in a single check, a bulk check and a search:',
      ],
    },
  },
  {
    id: 'G5',
    promise:
      '`domain` is null when the account has no such domain, and any other failure is an error. `domainsByName` keeps order and length.',
    tests: {
      'graph/reads/lookups.test.ts': [
        'a domain that the account does not have is null: %s',
        'a list keeps its order, length and duplicates, with null for an absent domain',
      ],
      'graph/reads/read-faults.test.ts': [
        'a failed getdetails is an error of its domain, and an absent domain is null without an error',
        'a domain that the upstream reports absent by a registry code is null',
      ],
    },
  },
  {
    id: 'G6',
    promise:
      'Lists are Relay connections with pages of 20 by default and at most 100 (`tlds`: 1000).',
    tests: {
      'graph/reads/domain-pages.test.ts': [
        'forward pages of %i contain every domain once',
        'backward pages of %i contain every domain once',
        'a page has 20 domains by default, and its edges have the same nodes',
      ],
      'graph/reads/page-arguments.test.ts': ['%s refuses before an upstream call'],
      'schema/connection.test.ts': ['by page contains every item once, forwards and backwards'],
    },
  },
  {
    id: 'G7',
    promise:
      'Money is exact decimal text with at least four fractional digits, and no float anywhere. An absent price is null, and 0.0000 is a price.',
    tests: {
      'graph/writes/carts.test.ts': ['the total of three times 0.1 is 0.3'],
      'upstream/requests.test.ts': ['%s is sent with all its digits'],
      'kernel/money.test.ts': [
        'a formatted decimal parses to the same text, with at least four decimal places',
        'sums, differences and products are exact',
      ],
      'graph/reads/price-values.test.ts': [
        'a price of 0.0000 is a price, and a missing price is null',
      ],
      'graph/reads/wrong-types.test.ts': ['unreadable prices and balances are errors, never 0'],
    },
  },
  {
    id: 'G8',
    promise: 'Any currency code of the registrar is accepted, and `TL` is returned as `TRY`.',
    tests: {
      'graph/rules.test.ts': ['a currency that ISO 4217 does not have is returned unchanged'],
      'graph/reads/price-values.test.ts': [
        'TL is returned as TRY in prices and balances, and the symbol is unchanged',
      ],
    },
  },
  {
    id: 'G9',
    promise:
      'Times are UTC, also those that the registrar sends without a zone and with up to seven fractional digits. Inputs accept a plain date.',
    tests: {
      'graph/reads/odd-replies.test.ts': [
        'has the same instant for seven digits without a zone, for Z and for an offset',
      ],
      'graph/reads/domain-values.test.ts': [
        'upstream times without a zone are UTC, with milliseconds',
      ],
      'graph/reads/domain-pages.test.ts': ['a date in a filter is midnight UTC'],
    },
  },
  {
    id: 'G10',
    promise:
      'A text flag of the registrar is read in any case; another text is an error at its field, never `false`.',
    tests: {
      'graph/reads/odd-replies.test.ts': [
        'without an auth code has a null authCode, and its flags are read in any case',
      ],
      'graph/reads/wrong-types.test.ts': [
        'a flag that is neither true nor false is null with an error, and its siblings are intact',
      ],
    },
  },
  {
    id: 'G11',
    promise:
      'Open lists of the registrar are raw text and an enum with `UNKNOWN`. The description of `ErrorCode` says that the list will grow.',
    tests: {
      'graph/reads/domain-values.test.ts': ['%s with the raw status %s is %s'],
      'graph/rules.test.ts': [
        'the description of an error type lists exactly its codes, and that of ErrorCode says that it will grow',
      ],
    },
  },
  {
    id: 'G12',
    promise:
      'Single and bulk checks of one name agree. A name without an entry is `INVALID` when it cannot be sold, else `UNKNOWN` and retryable.',
    tests: {
      'graph/reads/consistent-availability.test.ts': [
        'a name has the same result in a single check, a bulk check and a search:',
        'a name whose checks fail is UNKNOWN and retryable',
      ],
    },
  },
  {
    id: 'G13',
    promise:
      'A bulk check that is lost is halved while the calls of the request last, so a name that hangs does not cost its list.',
    tests: {
      'graph/reads/failed-bulk-checks.test.ts': [
        'a name that hangs fails alone, within a bounded time',
        'two names that break their calls fail alone in a list of 100',
        'a failed list is not halved without remaining calls',
      ],
    },
  },
  {
    id: 'G14',
    promise:
      'A refusal is data: `errors` of the payload has everything that is wrong, each with its path.',
    tests: {
      'graph/purchases/registration-refusals.test.ts': [
        'all errors of an input are returned together, each with its path',
      ],
      'graph/purchases/transfer-refusals.test.ts': ['with all errors of the input together'],
      'graph/writes/domain-text.test.ts': [
        'all invalid texts of one input are reported, each with its path',
      ],
      'errors/members.test.ts': ['a mutation can return every error type'],
    },
  },
  {
    id: 'G15',
    promise:
      'The description of each error type lists its codes. A message is one sentence of the gateway; the text of the registrar is in `upstreamMessage`.',
    tests: {
      'graph/rules.test.ts': [
        'the description of an error type lists exactly its codes, and that of ErrorCode says that it will grow',
      ],
      'errors/upstream-codes.test.ts': ['an upstream code is reported as'],
      'kernel/faults.test.ts': ['the message of %s is one sentence'],
    },
  },
  {
    id: 'G16',
    promise:
      'An error never recommends an act that cannot be undone: `LOCKED` names the status, and advises unlocking only for a transfer under `clientTransferProhibited`.',
    tests: {
      'graph/rules.test.ts': [
        'only a transfer under clientTransferProhibited is advised to unlock the domain',
      ],
      'graph/writes/protection.test.ts': [
        'of a domain in redemption remains, and the error has the status and does not advise to unlock',
      ],
    },
  },
  {
    id: 'G17',
    promise:
      'In the payload of a purchase all that the registrar provides is nullable, so a failed read never hides `purchase`.',
    tests: {
      'graph/rules.test.ts': [
        'the payload of a purchase requires nothing but what the gateway itself knows',
      ],
      'graph/purchases/unknown-outcome.test.ts': [
        'a failed read of the domain after a purchase does not hide the purchase',
      ],
    },
  },
  {
    id: 'G18',
    promise: 'Every error reports `executed` (`NO`, `YES`, `UNKNOWN`) and `retryable`.',
    tests: {
      'errors/top-level.test.ts': [
        'a failed read reports code, retryable, executed NO and its request id',
        'a request without a key is refused with UNAUTHENTICATED',
      ],
      'errors/upstream-codes.test.ts': ['an upstream code is reported as'],
      'upstream/classify.test.ts': [
        'a Domain API write has executed: NO only after a listed refusal',
      ],
    },
  },
  {
    id: 'G19',
    promise:
      'Other failures are top-level errors with an `extensions.code` of one closed list. An unlisted code of the registrar is a failure of the server, not of the input.',
    tests: {
      'kernel/faults.test.ts': ['%s is in capitals and has a top-level code of the closed list'],
      'errors/top-level.test.ts': [
        'a failed read reports code, retryable, executed NO and its request id',
      ],
    },
  },
  {
    id: 'G20',
    promise:
      'Nothing of a body, URL, header or login of the registrar reaches a client, except the code and the cleaned message.',
    tests: {
      'errors/nothing-leaks.test.ts': [
        'no part of a hostile body reaches a client or the log',
        'the schema does not contain the login',
      ],
      'upstream/upstream-text.test.ts': ['a cleaned message', 'redacted values'],
      'upstream/redaction.test.ts': ['a refusal that quotes its request contains'],
    },
  },
  {
    id: 'G21',
    promise: '`authCode` is a field of its own with a scope of its own, and is never cached.',
    tests: {
      'access/scopes.test.ts': [
        'an auth code needs its own scope, and the audit names the reader without the code',
      ],
      'access/scopes-of-fields.test.ts': ['the auth code of a %s has a scope of its own'],
      'graph/reads/reply-cache.test.ts': [
        'an auth code is never cached, and a read of it does not discard the cached details',
      ],
      'graph/reads/portfolio-lists.test.ts': ['no stored row contains its auth code'],
    },
  },
  {
    id: 'G22',
    promise:
      'What the registrar has no call for is not in the graph, and the description of the type says so.',
    tests: {
      'graph/rules.test.ts': [
        'the graph has one mutation for each write of the registrar, those of its jobs, and those of the gateway alone',
        'the description of %s says what the registrar has no call for',
      ],
    },
  },
  {
    id: 'G23',
    promise: '`deleteHostingGroup` and `deleteLogs` need `confirm: true`.',
    tests: {
      'graph/writes/deletions.test.ts': [
        'without confirm is refused before an upstream call',
        'with confirm is one upstream call',
      ],
    },
  },
  {
    id: 'G24',
    promise:
      'The same thing requested twice in one operation is one call, and a list never costs one call per row where one call serves all.',
    tests: {
      'graph/reads/domain-calls.test.ts': [
        'a domain that a document requests in five ways and three spellings is one getdetails',
        '100 names of a portfolio that fits one list cost one getdomainlist, absent names included',
        'several pages, filters and orders in one query are one getdomainlist',
        'the prices of the TLDs of 100 domains are one tldlist',
      ],
      'graph/reads/availability-calls.test.ts': [
        '50 names, requested as a list and by aliases, are one bulk call of 50 names',
      ],
    },
  },
  {
    id: 'G25',
    promise: 'What the reply of the parent already has costs no call.',
    tests: {
      'graph/reads/domain-calls.test.ts': [
        'a page of 50 domains with all fields is one getdomainlist',
      ],
      'graph/reads/contact-calls.test.ts': ['the contact ids of 50 domains cost no getcontacts'],
    },
  },
  {
    id: 'G26',
    promise:
      '`schema.graphql` is printed from the code. Fields are deprecated, with a reason, before they are removed.',
    tests: {
      'docs/schema.test.ts': ['schema.graphql is the graph of the code'],
      'docs/schema-diff.test.ts': [
        'fails, with the name under which it can be accepted',
        'the graph of this repository has no breaking change without a reason and no stale reason',
      ],
    },
  },
  {
    id: 'G27',
    promise:
      'The quote of a listed period is `LISTED`, with equal bounds. Another period is `ESTIMATED` between its first years and its first year with renewals, and `UNKNOWN` without a renewal price.',
    tests: {
      'graph/purchases/quotes.test.ts': [
        'a period that the catalogue lists has a LISTED quote',
        'five years of .online, at 1.99 for the first and 28.90 for each further year',
        '%s has an UNKNOWN quote and is refused before the upstream purchase',
      ],
      'graph/purchases/quote-rows.test.ts': [
        'the sandbox never debits a price outside the quote, for any price list and either pricing rule',
      ],
    },
  },
  {
    id: 'G28',
    promise:
      'A premium name has the price of its offer for the offered period; any other period is `UNKNOWN`.',
    tests: {
      'graph/purchases/quotes.test.ts': [
        '%s has an UNKNOWN quote and is refused before the upstream purchase',
      ],
      'graph/reads/search.test.ts': ['are its own for a premium name, without a list price'],
    },
  },
  {
    id: 'G29',
    promise:
      '`maxPrice`, spend limits and the balance check use the highest price. A price that is not known is refused before anything is sent.',
    tests: {
      'graph/purchases/quotes.test.ts': [
        'with a maxPrice below the highest price are refused with the quote, before the upstream purchase',
        'a balance between the lowest and the highest price is insufficient',
        'a spend limit counts the highest price',
        '%s has an UNKNOWN quote and is refused before the upstream purchase',
      ],
    },
  },
  {
    id: 'G30',
    promise:
      'Search, availability, TLD, dry run and purchase have the same quote, and a dry run returns it whatever else is wrong.',
    tests: {
      'graph/purchases/quotes.test.ts': [
        'have the same quote in search, availability, TLD, dry run and purchase',
        'with a maxPrice equal to the highest price are bought and recorded at that price',
        'the payload contains the quote beside any error:',
      ],
    },
  },
];

/** The promises of docs/events.md. */
const ofEvents: readonly PromiseRow[] = [
  {
    id: 'E1',
    promise:
      'Each difference that a comparison finds is exactly one event, also when replicas fail, pause or are killed.',
    tests: {
      'simulation/simulation.test.ts': [
        'no promise is broken in … schedules, and every kind of fault occurs',
      ],
      'modules/event/interleavings.test.ts': [
        'two replicas that fail, pause and are killed between any two calls store each difference once, in order',
      ],
      'modules/event/replicas.test.ts': [
        'a replica that was paused before %s writes nothing afterwards, and compares with the new states later',
        'a replica that was paused between two comparisons does not compare with states of its past',
      ],
      'persistence/describe-events.ts': [
        'store each event once when the process ended between the two statements of publish',
        'refuse a state that was compared with another one than the stored one',
        'refuse a second state of a subject before its events are published, and lose none',
      ],
      'persistence/describe-event-leases.ts': [
        'stops in the middle of many changes, each of which is stored with its events or not at all',
      ],
      'graph/events/domain-events.test.ts': [
        'five changes behind the back of the gateway are five events within one interval, once each, also after a restart',
      ],
    },
  },
  {
    id: 'E2',
    promise:
      'One replica compares at a time, and another one continues when it is closed, or within 40 seconds when it is killed.',
    tests: {
      'modules/event/replicas.test.ts': [
        'of two replicas one compares, and only its list is requested',
        'a second replica continues when the first is closed',
        'a second replica continues within 40 seconds when the first was killed',
        'a replica whose list takes longer than its interval is not interrupted by another one',
      ],
      'persistence/describe-event-leases.ts': [
        'is of one of twenty owners that request it at once over two connections',
      ],
    },
  },
  {
    id: 'E3',
    promise: 'A field that cannot be read is no event, and a failure makes none and loses none.',
    tests: {
      'modules/event/compare.test.ts': [
        'is no event, and its next value is compared with the last one that was read: %s',
        'the events of a field are a chain from its first value to its last one, also when some cannot be read',
      ],
      'modules/event/watcher.test.ts': [
        'of the upstream makes no event, and the next comparison finds the difference',
        'of the journal in %s loses no event and repeats none',
      ],
    },
  },
  {
    id: 'E4',
    promise:
      'A domain is an event as removed only when the ledger removed it, never because a list left it out.',
    tests: {
      'simulation/simulation.test.ts': [
        'no promise is broken in … schedules, and every kind of fault occurs',
      ],
      'modules/event/watcher.test.ts': [
        'is no event until the ledger removes it, and is added when it is listed again',
        'is no event when the list is empty, and its next difference is one',
        'is no event while the ledger cannot be read',
        'is neither added nor removed when the ledger could not store it',
      ],
    },
  },
  {
    id: 'E5',
    promise: 'A consumer that continues at a cursor gets each event once, and none is missing.',
    tests: {
      'simulation/simulation.test.ts': [
        'no promise is broken in … schedules, and every kind of fault occurs',
      ],
      'modules/event/streams.test.ts': [
        'a stream sends the events after its cursor at once, then each new one, once and in order',
        'an event that arrives while a page is read is sent once',
        'thousands of events arrive at a subscriber that takes them one by one',
        'a journal that fails in %s does not end a stream, which continues without a gap',
      ],
      'graph/events/domain-events.test.ts': [
        'a subscription sends the events after its cursor and each new one, without a gap or a repetition',
      ],
    },
  },
  {
    id: 'E6',
    promise: 'Positions are never used again, and a cursor before a deleted event is refused.',
    tests: {
      'simulation/simulation.test.ts': [
        'no promise is broken in … schedules, and every kind of fault occurs',
      ],
      'persistence/describe-events.ts': [
        'removes the events before a time, and their positions are never used again',
      ],
      'modules/event/streams.test.ts': [
        'events that are deleted while a stream or a list reads are not left out silently',
      ],
      'graph/events/domain-events.test.ts': [
        'a cursor before a deleted event is refused, and one at the last deleted event is not',
      ],
    },
  },
  {
    id: 'E7',
    promise: 'Requests run while many domains are compared, and while their events are stored.',
    tests: {
      'modules/event/watcher.test.ts': [
        'the comparison of many domains is divided into turns of the event loop',
      ],
    },
  },
  {
    id: 'E8',
    promise:
      'A change that a request to this gateway made has the source `GATEWAY` and its caller, and every other change `UPSTREAM`.',
    tests: {
      'simulation/simulation.test.ts': [
        'no promise is broken in … schedules, and every kind of fault occurs',
      ],
      'graph/events/gateway-events.test.ts': [
        'changes that a caller makes through the gateway are GATEWAY with its name, and others are UPSTREAM',
        'a change whose reply was lost is of the caller',
        'a bulk change is of the caller of its job',
      ],
      'modules/event/causes.test.ts': [
        'a change that a write of this gateway set is its event with the caller, and another value is not',
        'a write explains one change, so that the same change made again elsewhere is not of this gateway',
        'a write that was refused explains nothing, and one without an outcome does',
        'a purchase before the last removal of a domain does not explain that it is added again',
      ],
    },
  },
  {
    id: 'E9',
    promise:
      'A caller sees its own name in events, and the names of other callers only with the scope `ops`.',
    tests: {
      'modules/event/schema.test.ts': [
        'to %j with the scopes %j the callers of changes are %j',
        'a caller without the scope events:read is refused',
      ],
    },
  },
  {
    id: 'E10',
    promise:
      'A purchase that settles is one event for each outcome within two seconds, also when no gateway runs at that time, and after a kill. A replay is none.',
    tests: {
      'simulation/simulation.test.ts': [
        'no promise is broken in … schedules, and every kind of fault occurs',
      ],
      'modules/event/settled.test.ts': [
        'a purchase is an event at once, also while a process that ended has the lease of the comparisons',
        'two replicas store one event, also when one ends during its report',
        'an outcome that is corrected later is another event',
        'a failure of the journal in %s loses no event and repeats none',
      ],
      'persistence/describe-settled-purchases.ts': [
        'an outcome that was corrected in the meantime has no event after its correction',
        'a process that ended before it marked the purchase left the one event',
        'twenty processes that report at once store one event each, at positions without a gap',
      ],
      'graph/events/gateway-events.test.ts': [
        'a purchase is settled and adds its domain: two events with its caller and its id, also after a replay and a restart',
      ],
    },
  },
  {
    id: 'E11',
    promise:
      'A balance below its threshold is one event until it has reached the threshold again, and so are renewals that the balance does not cover.',
    tests: {
      'graph/events/gateway-events.test.ts': [
        'a balance that crosses its threshold twice is two events',
      ],
      'modules/event/balances.test.ts': [
        'a balance that cannot be read is no event, and is compared with the last one later',
      ],
      'modules/event/renewals.test.ts': [
        'renewals that the balance no longer covers are one event per currency until it covers them again',
        'what cannot be decided is no event: a balance that is missing, a price that is not known',
      ],
    },
  },
  {
    id: 'E12',
    promise:
      'Each price that changes, appears or is removed is one event. The first list, and one that cannot be read, have none.',
    tests: {
      'modules/event/prices.test.ts': [
        'each price that changed, appeared or was removed is one event, and the first list has none',
        'a list that is empty or has no price that can be read is no event, and the next one is compared',
        'a price that cannot be read is no event, and is compared with the last one later',
      ],
      'modules/event/sequences.test.ts': [
        'any sequence of balances, prices, writes and purchases has exactly its events, once, over restarts and kills',
      ],
    },
  },
  {
    id: 'E13',
    promise:
      'An interval costs one `getdomainlist` and at most one `resellerdetails`, and a day one `tldlist`. With events off an idle gateway makes no call.',
    tests: {
      'graph/events/domain-events.test.ts': [
        'an interval costs one getdomainlist and one resellerdetails, and a day one tldlist',
        'an interval costs one getdomainlist when no balance is compared',
        'without an interval the gateway makes no call and finds no event',
      ],
      'modules/event/prices.test.ts': ['one tldlist a day is requested, also after a restart'],
    },
  },
  {
    id: 'E14',
    promise:
      'A change of a domain by this gateway is one event within two seconds of its reply, on any replica and after a kill, without an upstream call more, and a reply that is older than the change does not undo it.',
    tests: {
      'graph/events/gateway-events.test.ts': [
        'changes that a caller makes through the gateway are GATEWAY with its name, and others are UPSTREAM',
        'a bulk change is of the caller of its job',
      ],
      'modules/event/own-writes.test.ts': [
        'a list that was requested before the write does not undo it, whenever the list arrives',
        'a row that a background read requested before the write does not undo it, however late it is compared',
        'a write that a comparison has reported before its reply arrived is no second event',
        'a write during a comparison does not prevent its other events, and no event is UPSTREAM or missing because of it',
      ],
      'persistence/describe-event-leases.ts': [
        'publishes the same events as another one at once, each once and without a gap',
        'revises a state many times while others publish: each event is stored once, in order',
      ],
      'processes/killed-publication.test.ts': [
        'another replica publishes the event of a killed gateway before its lease ends',
      ],
    },
  },
];

/** The promises of docs/webhooks.md. */
const ofWebhooks: readonly PromiseRow[] = [
  {
    id: 'W1',
    promise:
      'The official package of Standard Webhooks verifies each request, and does not verify a forged, altered or old one.',
    tests: {
      'graph/webhooks/webhooks.test.ts': [
        'an event of another program reaches the endpoint, signed by Standard Webhooks',
        'a forged signature, an altered body, an altered id and an old timestamp do not verify',
        'after a rotation both secrets sign for 24 hours',
      ],
    },
  },
  {
    id: 'W2',
    promise:
      'An endpoint gets the events in order: the next one is sent when it accepted the one before.',
    tests: {
      'modules/webhook/interleavings.test.ts': [
        'with any responses, failures, restarts and lease changes each event is delivered, in order and none is skipped',
      ],
      'modules/webhook/deliveries.test.ts': [
        'a receiver that fails nine times gets the tenth delivery, and then the events that wait',
      ],
      'graph/webhooks/webhooks.test.ts': [
        'a failed event is sent again in order, and a changed URL receives it at once',
      ],
    },
  },
  {
    id: 'W3',
    promise:
      'Each event is sent at least once with the same id, also when replicas are killed, and exactly once while none fails.',
    tests: {
      'processes/killed-webhook.test.ts': [
        'a gateway that is killed between a request and its commit sends the event again, with the same id',
      ],
      'modules/webhook/interleavings.test.ts': [
        'with any responses, failures, restarts and lease changes each event is delivered, in order and none is skipped',
      ],
      'modules/webhook/deliveries.test.ts': [
        'send each event once, in order, while none ends',
        'continue after the lease when one was killed between the response and the commit, with the same id',
        'a request that does not end within five seconds of a close is aborted, and its event is sent again',
      ],
      'graph/webhooks/webhooks.test.ts': [
        'two gateways over one journal send each event once, and a webhook of either is delivered',
      ],
      'persistence/describe-webhooks.ts': [
        'is not stored without the lease of the webhook',
        'is of one of twenty owners that request it at once over two connections',
      ],
    },
  },
  {
    id: 'W4',
    promise:
      'An endpoint that fails for 24 hours, or is gone, is suspended visibly. After it was resumed it gets the events in between, and a gap is shown.',
    tests: {
      'modules/webhook/deliveries.test.ts': [
        'is suspended, which is an event of its own, and a log line',
        'receives the events since then after it was resumed',
        'the event of a suspension is stored once, also when the process ends before it is marked',
        'events that were deleted before they were sent are a gap that the webhook shows',
      ],
      'modules/webhook/progress.test.ts': [
        'by an attempt that fails 24 hours after the first failure',
        'by 410 Gone at once',
      ],
      'graph/webhooks/webhooks.test.ts': [
        '410 suspends a webhook, which receives the events in between after it was resumed',
      ],
    },
  },
  {
    id: 'W5',
    promise:
      'No request reaches an address that is not public, in any spelling and also when a name resolves to another address later.',
    tests: {
      'outbound/public-address.test.ts': ['an address that is %s is not public'],
      'outbound/outbound.test.ts': [
        '%s is refused before a connection',
        'a host that resolves to %o is refused',
        'a host that resolves to a public address first and to loopback second is refused at the connection',
        'a redirect (%i) is not followed',
        'a proxy of the environment is not used',
      ],
      'graph/webhooks/webhooks.test.ts': [
        'that cannot be a target is refused when the webhook is created or changed',
        'whose host resolves to a private address later is refused at the delivery',
      ],
    },
  },
  {
    id: 'W6',
    promise:
      'A secret is in the responses of its creation and its rotation, and in no other output.',
    tests: {
      'graph/webhooks/webhooks.test.ts': [
        'the secret is in the responses of its creation and its rotation, and nowhere else',
      ],
    },
  },
  {
    id: 'W7',
    promise: 'A slow endpoint does not delay the others, and a large response costs no memory.',
    tests: {
      'modules/webhook/deliveries.test.ts': [
        'of 201 endpoints one receives at once beside 200 of which each %s',
      ],
      'outbound/outbound.test.ts': ['a body of 50 MB is read up to 64 KiB'],
    },
  },
];

const ofTools: readonly PromiseRow[] = [
  {
    id: 'M1',
    promise: 'A caller sees and calls only the tools that its scopes allow.',
    tests: {
      'mcp/read-tools.test.ts': [
        '%s decide the listed tools',
        '%s: a tool that is not listed is refused before any upstream call',
      ],
      'mcp/stdio.test.ts': ['has the rights of MCP_KEY'],
    },
  },
  {
    id: 'M2',
    promise: 'Without `MCP_WRITES=true` no tool reaches a mutation, whatever its arguments are.',
    tests: {
      'mcp/purchases.test.ts': [
        'no tool reaches a mutation, whatever its arguments are',
        'there is no tool "%s"',
      ],
      'mcp/tools.test.ts': [
        'no tool that reads selects a secret or a contact, and each is a query',
      ],
    },
  },
  {
    id: 'M3',
    promise:
      '`buy` buys only what its caller quoted within ten minutes, and at most at the quoted price.',
    tests: {
      'mcp/purchases.test.ts': [
        'is required: %s buys nothing',
        'is of one caller',
        'is of one input: %s buys nothing',
        'is of one kind of purchase',
        'with another %s buys nothing',
        'buys nothing when the price has risen above its highest price',
        'expires after ten minutes',
        'a token of one tenant buys nothing for another',
      ],
      'mcp/purchase-token.test.ts': ['is valid until its end', 'is not valid for another %s'],
    },
  },
  {
    id: 'M4',
    promise: 'A token is one upstream purchase at most.',
    tests: {
      'mcp/purchases.test.ts': [
        'is one upstream purchase when the calls arrive at once',
        'returns the same purchase to the same call again',
        'a lost reply is reported as not known, with the way to find the outcome',
      ],
    },
  },
  {
    id: 'M5',
    promise: 'A tool has the limits of the graph, and exceeding them is a result of the tool.',
    tests: {
      'mcp/read-tools.test.ts': [
        'a tool above the cost limit returns the sentence of the gateway as an error, before any upstream call',
        'the rate limit of a key counts tools with the requests to the graph',
      ],
      'mcp/http.test.ts': ['refuses a megabyte of arguments with one sentence'],
    },
  },
  {
    id: 'M6',
    promise: 'Text of the registrar is marked as data, and cannot end its block.',
    tests: {
      'mcp/read-tools.test.ts': [
        'gets text of the registrar only inside the block of data, without its tags and control characters',
      ],
      'mcp/tool-result.test.ts': ['cannot be ended by %s in its data', 'has no %s'],
    },
  },
];

export const promiseRows: readonly PromiseRow[] = [
  ...ofReadme,
  ...ofPurchases,
  ...ofGraph,
  ...ofEvents,
  ...ofWebhooks,
  ...ofTools,
];

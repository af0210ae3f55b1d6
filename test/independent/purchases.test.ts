import { beforeAll, expect, test } from 'vitest';
import { type Reply, refusal } from './registrar.ts';
import {
  dataAs,
  errorFields,
  order,
  registerDocument,
  startIndependent,
  transferDocument,
  transferOf,
} from './start.ts';
import type { Script } from './upstream.ts';
import type { Json } from './wire-objects.ts';

const { query, upstream, time } = await startIndependent({
  reconcileEveryMs: 10_000,
  quietWindowMs: 30_000,
});

type Operation = 'registerdomain' | 'transferdomain';
/** The state directly after the call, 35 seconds later, and after the quiet window; then the last error. */
type Expected = readonly [atOnce: string, soon: string, last: string, error?: Json];
type Row = readonly [Operation, string, Script, ...Expected];

const error = (Code: string, Details = 'Some detail') => ({
  result: 'ERROR',
  error: { Code, Message: 'Failed', Details },
});
const rejected = (upstreamCode: string, upstreamMessage = 'Some detail') => ({
  code: 'UPSTREAM_REJECTED',
  executed: 'NO',
  upstreamCode,
  upstreamMessage,
  message: expect.not.stringContaining('did not respond'),
});
/** A failure of the registrar itself: its code may say so. */
const uncertain = (upstreamCode: string, upstreamMessage?: string) => ({
  ...rejected(upstreamCode, upstreamMessage),
  code: expect.toBeOneOf(['UPSTREAM_REJECTED', 'UPSTREAM_UNAVAILABLE']),
});
/** A refusal with a code that no table lists. */
const unlisted = (operation: Operation, status: number): Row => [
  operation,
  `an unlisted refusal under ${status}`,
  () => ({ status, body: error('API_7777_ERROR') }),
  ...(['PENDING', status < 500 ? 'FAILED' : 'PENDING', 'FAILED'] as const),
  status < 500 ? rejected('API_7777_ERROR') : uncertain('API_7777_ERROR'),
];
const after =
  (reply: Reply): Script =>
  (_fields, ordinary) => {
    ordinary();
    return reply;
  };
const bought = ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'] as const;
/** A success that a read has to prove: the first read, in the request itself, may prove it. */
const proved = ['PENDING|SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'] as const;
/** A success reply for a domain that the account does not have. */
const unproved = ['PENDING', 'PENDING', 'FAILED'] as const;
/** The end of a transfer in progress is read much later. */
const transferred = [
  'IN_PROGRESS|SUCCEEDED',
  'IN_PROGRESS|SUCCEEDED',
  'IN_PROGRESS|SUCCEEDED',
] as const;
const lateTransfer = [
  'PENDING|IN_PROGRESS|SUCCEEDED',
  'IN_PROGRESS|SUCCEEDED',
  'IN_PROGRESS|SUCCEEDED',
] as const;

const rows: readonly Row[] = [
  ...[400, 200, 404, 500].map((status) => unlisted('registerdomain', status)),
  ...[400, 200, 500].map((status) => unlisted('transferdomain', status)),
  [
    'transferdomain',
    'a refusal with a word for its code',
    () => ({ status: 400, body: error('TRANSFER_DENIED', 'Denied by the registry. ') }),
    ...(['PENDING', 'FAILED', 'FAILED'] as const),
    rejected('TRANSFER_DENIED', 'Denied by the registry.'),
  ],
  [
    'registerdomain',
    'an unlisted refusal without details',
    () => refusal('API_7778_ERROR', 'No additional details'),
    ...(['PENDING', 'FAILED', 'FAILED'] as const),
    rejected('API_7778_ERROR', expect.toBeOneOf([null, ''])),
  ],
  [
    'registerdomain',
    'a code of an uncertain outcome',
    () => ({ status: 400, body: error('API_2400_ERROR') }),
    ...unproved,
    uncertain('API_2400_ERROR'),
  ],
  [
    'registerdomain',
    'an unreachable backend',
    () => ({ status: 400, body: error('INVALID_RESPONSE', 'Invalid Response occured') }),
    ...unproved,
    uncertain('INVALID_RESPONSE', 'Invalid Response occured'),
  ],
  [
    'registerdomain',
    'an unlisted refusal after the registration',
    after({ status: 400, body: error('API_7777_ERROR') }),
    ...proved,
  ],
  [
    'transferdomain',
    'an unlisted refusal after the transfer',
    after({ status: 400, body: error('API_7777_ERROR') }),
    ...lateTransfer,
  ],
  ['registerdomain', 'an empty reply after the registration', after({}), ...proved],
  ['registerdomain', 'HTML after the registration', after({ body: '<p>Moved</p>' }), ...proved],
  [
    'registerdomain',
    'data in the shape of the specification',
    (_fields, ordinary) => ordinary(),
    ...bought,
  ],
  ['registerdomain', 'no data', dataAs(() => undefined), ...bought],
  [
    'registerdomain',
    'data that holds only the name in capitals',
    dataAs(({ DomainName }) => ({ DomainName: DomainName.toUpperCase() })),
    ...bought,
  ],
  ...(
    [
      ['a number for the name', { DomainName: 7 }],
      ['a list for the name', { DomainName: [] }],
      ['an object for the name', { DomainName: {} }],
      ['an object for the status', { Status: {} }],
      ['a number', 7],
      ['a text', 'registered'],
      ['a list', [{ DomainName: 'x' }]],
      ['another domain', { DomainName: 'another-maple.com' }],
      ['an empty record', {}],
      ['a record of empty texts', { ID: 0, DomainName: '', Status: '', NameServers: null }],
      ['a record without a name', { ID: 0, Status: 'Active' }],
    ] as const
  ).flatMap(([what, data]) =>
    (['registerdomain', 'transferdomain'] as const).map(
      (operation): Row => [
        operation,
        `data that is ${what}, without a purchase`,
        () => ({ body: { result: 'OK', data } }),
        ...unproved,
      ],
    ),
  ),
  ['transferdomain', 'OK alone', after({ body: { result: 'OK' } }), ...transferred],
  [
    'transferdomain',
    'OK with data',
    after({ body: { result: 'OK', data: { ID: 0, Status: 'active' } } }),
    ...transferred,
  ],
  ['transferdomain', 'an empty object', after({ body: {} }), ...lateTransfer],
  [
    'transferdomain',
    'another status of success',
    after({ status: 201, body: { result: 'OK' } }),
    ...transferred,
  ],
];

const nameOf = (at: number) =>
  rows[at]?.[0] === 'transferdomain' ? `incoming-maple-${at}.com` : `odd-maple-${at}.com`;
const seen: Json[][] = rows.map(() => []);
let counts: Readonly<Record<string, number>> = {};

/** Adds the purchase of each row as the journal has it: a list causes no upstream call. */
async function look() {
  const { data } = await query(
    `{ purchases(first: 100) { nodes { domainName state errors { ${errorFields} } } } }`,
  );
  for (const purchase of data.purchases.nodes) {
    const at = rows.findIndex((_, index) => nameOf(index) === purchase.domainName);
    seen[at]?.push(purchase);
  }
}

// All purchases are open at the same time, so that the time passes once.
beforeAll(async () => {
  const scriptOf = ({ domain }: Json) => rows.findIndex((_, at) => nameOf(at) === domain);
  for (const operation of ['registerdomain', 'transferdomain']) {
    upstream.reply(operation, (fields, ordinary) => rows[scriptOf(fields)]?.[2](fields, ordinary));
  }
  for (const [at, [operation]] of rows.entries()) {
    const isTransfer = operation === 'transferdomain';
    const input = isTransfer ? transferOf(nameOf(at)) : order(nameOf(at));
    await query(isTransfer ? transferDocument : registerDocument, { input });
  }
  await look();
  await time.pass(35_000);
  await look();
  await time.pass(110_000);
  await look();
  counts = upstream.counts();
});

test.each(rows.map((row, at) => [row[0], row[1], at] as const))(
  '%s, %s',
  (_operation, _what, at) => {
    const [, , , atOnce, soon, last, fault] = rows[at] ?? [];
    const purchases = seen[at] ?? [];

    expect(purchases.map(({ state }) => state)).toEqual(
      [atOnce, soon, last].map((states) => expect.toBeOneOf(states?.split('|') ?? [])),
    );
    if (!fault) return;
    const { upstreamCode, upstreamMessage } = fault;
    for (const {
      state,
      errors: [shown],
    } of purchases) {
      expect(shown).toMatchObject(
        state === 'FAILED'
          ? fault
          : { code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN', upstreamCode, upstreamMessage },
      );
    }
  },
);

test('each purchase was sent once', () => {
  const isTransfer = ([operation]: Row) => operation === 'transferdomain';
  const transfers = rows.filter(isTransfer).length;

  expect(counts).toMatchObject({
    transferdomain: transfers,
    registerdomain: rows.length - transfers,
  });
});

import { errors } from '../../../../test/samples/document-of.ts';
import { local, type Samples, stored, storedQuery, With } from '../../../../test/samples/sample.ts';
import {
  afterAndBefore,
  byIdAndKey,
  dollar,
  freeLimits,
  limits,
  other,
  otherValues,
  page,
  person,
  personText,
  transfer,
  transferCode,
  values,
} from '../../../../test/samples/shared.ts';
import { ada } from '../../../../test/support/ada.ts';

/** Of an order that failed before: line 0 has contacts of its own, line 1 those of the order, and line 2 is a transfer. */
const retried = {
  by: { key: 'first-$' },
  idempotencyKey: 'retry-$',
  registrant: person,
  contact: person,
  lines: [
    { position: 1 },
    { position: 0, registrant: person, contact: person },
    { position: 2, authCode: transferCode },
  ],
};
const registration = { domain: '$-a.xyz', ...values };
const lines = [{ registration }, { transfer }];
const placed = { idempotencyKey: 'order-$', lines };
const byDefaults = { idempotencyKey: 'order-$', lines: [{ registration: { domain: '$-b.xyz' } }] };
const quoteFields = {
  ...{ lines: [{ transfer }], maxTotal: [dollar], maxTotalCost: [dollar] },
  defaults: { nameServers: ['a b'] },
};

const defaults = {
  registrant: { fields: ada },
  nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
};
const quote = `affordable totals { estimated }
  lines { domainName errors { code path message upstreamMessage } } ${errors}`;

const lineText = (domain: string) => `{ registration: { domain: "${domain}" } }`;
const quoteOrder = (lines: string) => `quoteOrder(input: { lines: [${lines}] }) { affordable }`;
const manyOf = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join(' ');
const transfers = (count: number) =>
  manyOf(count, (at) => `{ transfer: { domain: "oak-${at}.com", authCode: "c" } }`);
const retry = (codes: number) =>
  `retryOrder(input: { by: { key: "k" }, idempotencyKey: "r", lines: [${manyOf(
    codes,
    (at) => `{ position: ${at}, authCode: "c" }`,
  )}] }) { replayed }`;

export const samples: Samples = {
  'Query.quoteOrder': {
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 1 `bulkcheckavailability` per 100 names, 1 `getdetails` per name to transfer, or 1 `getdomainlist` from 5 of them on',
    exceptions:
      '1 `singlecheckavailability` for a single name; 1 `getdetails` for each name to register that is taken and each name to transfer that an incomplete list leaves out, while the request has calls left; no `resellerdetails` when no line can be bought',
    costs: {
      [quoteOrder(`${lineText('maple-harbor.com')} ${lineText('maple-harbor.net')}
          { transfer: { domain: "outside-shop.com", authCode: "Transfer-Code-01" } }`)]: {
        tldlist: 1,
        resellerdetails: 1,
        bulkcheckavailability: 1,
        getdetails: 1,
      },
      [quoteOrder(
        `${lineText('a.com')} ${lineText('A.com.')} ${lineText('no name')} ${transfers(1)}`,
      )]: 4,
      [quoteOrder(lineText('no name'))]: 2,
      [`${quoteOrder(lineText('a.com'))} availability(name: "a.com") { state }`]: 4,
      [quoteOrder('{ transfer: { domain: "no name", authCode: "c" } }')]: 2,
      [quoteOrder(transfers(4))]: 7,
      [quoteOrder(transfers(200))]: 5,
    },

    args: ({ name }) => ({
      input: {
        defaults,
        lines: [
          { registration: { domain: name } },
          { transfer: { domain: `x-${name}`, authCode: 'Transfer-Code-01' } },
        ],
      },
    }),
    select: quote,
    customers: 'unnamed',
    cached: false,
    inputs: { QuoteOrderInput: { base: { lines }, fields: quoteFields } },
  },
  'Query.order': {
    ...storedQuery,
    args: (target) => byIdAndKey(target.order, target.orderKey),
    select: 'id key lines { domainName }',
  },
  'Query.orders': {
    ...storedQuery,
    calls: 'as `order`',
    args: ({ cursors }) => afterAndBefore(cursors.job),
    select: page('id key state lines(first: 9) { domainName }'),
  },
  'Mutation.placeOrder': {
    calls:
      'as the query `quoteOrder`; after the response 1 `getdetails` and 1 `registerdomain` or `transferdomain` per line',
    exceptions:
      'a lost reply: 1 more `getdetails`. A line that waits for more than five minutes is checked again. A known idempotency key makes none',
    costs: {
      [`placeOrder(input: { idempotencyKey: "refused", maxTotal: [{ amount: "1", currency: "USD" }]
          lines: [${lineText('order-one.com')} ${lineText('order-two.com')}]
          defaults: { nameServers: ["ns1.example.com", "ns2.example.com"], registrant: { fields: ${personText} } } }) { errors { code } }`]:
        { tldlist: 1, resellerdetails: 1, bulkcheckavailability: 1 },
      [`placeOrder(input: { idempotencyKey: "o", lines: [${transfers(500)}] }) { replayed }`]: 8,
    },

    args: ({ name }) => ({
      input: {
        ...{ defaults, idempotencyKey: 'bolt-order', lines: [{ registration: { domain: name } }] },
        // No order is placed, whatever the name.
        maxTotal: [{ amount: '1', currency: 'USD' }],
      },
    }),
    select: `order { id key } keyUsed replayed quote { ${quote} }`,
    customers: 'own',
    inputs: {
      PlaceOrderInput: {
        base: placed,
        fields: {
          ...{ idempotencyKey: 'other-$', lines: [{ transfer }], maxTotal: [dollar] },
          maxTotalCost: [dollar],
          defaults: new With(byDefaults, values),
          onFailure: new With(
            { ...placed, lines: [...lines, { registration: { ...registration, domain: 'a b' } }] },
            'STOP',
          ),
        },
      },
      OrderDefaultsInput: {
        base: { ...byDefaults, defaults: values },
        at: ['defaults'],
        fields: otherValues,
      },
      OrderLineInput: {
        base: placed,
        at: ['lines', '0'],
        fields: { registration: { ...registration, period: 2 }, transfer },
      },
      RegistrationLineInput: {
        base: placed,
        at: ['lines', '0', 'registration'],
        fields: {
          ...{ ...otherValues, ...limits, domain: '$-other.xyz', period: 2 },
          acceptPremium: new With(
            {
              ...placed,
              lines: [{ registration: { ...registration, domain: 'casino.cc' } }, { transfer }],
            },
            true,
          ),
        },
      },
      TransferLineInput: {
        base: placed,
        at: ['lines', '1', 'transfer'],
        fields: {
          ...{ ...freeLimits, domain: 'outside-other-$.co.uk', authCode: 'Wrong', period: 2 },
          customer: 'acme',
        },
      },
    },
  },
  'Mutation.cancelOrder': {
    ...local,
    args: (target) => ({ input: { id: target.order } }),
    select: 'cancelled order { id }',
    inputs: {
      LookupInput: {
        base: { id: 'none' },
        fields: { id: new With({ key: 'none' }, 'none'), key: 'none' },
      },
    },
  },
  'Mutation.retryOrder': {
    calls: 'as `placeOrder`, for the lines that are placed again',
    exceptions:
      'the estimate is 22 calls, and one for each of up to four auth codes or one for more, whatever the order has',
    costs: {
      'retryOrder(input: { by: { key: "none" }, idempotencyKey: "again" }) { errors { code } }': {
        counts: {},
        estimate: 22,
      },
      [retry(2)]: 24,
      [retry(200)]: 23,
    },

    args: ({ orderKey }) => ({ input: { by: { key: orderKey }, idempotencyKey: 'again' } }),
    select: `order { id key } keyUsed replayed quote { ${quote} }`,
    customers: 'own',
    inputs: {
      RetryOrderInput: {
        base: retried,
        fields: {
          ...{ by: { key: 'none' }, idempotencyKey: 'again-$', registrant: other, contact: other },
          ...{ maxTotal: [dollar], maxTotalCost: [dollar], lines: [] },
        },
      },
      RetryLineInput: {
        base: retried,
        at: ['lines', '0'],
        fields: { registrant: other, contact: other, position: 99, authCode: 'Wrong' },
      },
    },
  },
  'Subscription.orderProgress': {
    ...stored,
    // test/graph/orders measures it: lines that are sent during the measurement cost calls.
    args: (target) => ({ id: target.order }),
    select: 'order { key }',
  },
};

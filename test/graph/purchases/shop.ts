import { ada } from '../../support/ada.ts';
import {
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../../support/gateway.ts';
import type { GatewayClock } from '../../support/gateway-clock.ts';

/** A gateway, its purchase mutations, and the records of its sandbox. */
export interface Shop {
  readonly gateway: TestGateway;
  /** Returns the payload and resets the count of calls before the request. */
  register(input: object, headers?: Record<string, string>): Promise<Payload>;
  transfer(input: object): Promise<Payload>;
  /** Sends several requests one after the other; their calls are counted together. */
  makeAll(kind: 'register' | 'transfer', inputs: readonly object[]): Promise<readonly Payload[]>;
  /** The balances of the sandbox by its own currency codes. */
  balances(): Promise<Readonly<Record<string, string>>>;
  /** The debits in the ledger of the sandbox. */
  ledger(): Promise<readonly Booking[]>;
  /** The rows of the name in every account. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into rows of any shape
  rows(name: string): Promise<any[]>;
  /** Arms a fault in the sandbox. */
  arm(fault: string, facts?: object): Promise<void>;
  purchase(id: string): Promise<Payload>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
export type Payload = any;

interface Booking {
  readonly kind: string;
  readonly domain: string;
  readonly price: string;
}

const twoHosts = ['ns1.example-dns.net', 'ns2.example-dns.net'];

export const errorFields = /* GraphQL */ `
  __typename code message path executed retryable
  ... on PeriodOutOfRange { minimum maximum }
  ... on InsufficientFunds { required { amount currency } available { amount currency } }
  ... on MaxPriceExceeded { maxPrice { amount currency } lowest { amount currency } highest { amount currency } }
  ... on PremiumNotAccepted { price { amount currency } }
  ... on SpendLimitExceeded { limit scope price { amount currency } allowed { amount currency }
    spent { amount currency } allowedCount count allowedTlds allowedPeriod }
  ... on PurchasesStopped { since reason }
  ... on IdempotencyConflict { purchase { id } }
  ... on OutcomeUnknown { purchase { id } }
  upstreamCode upstreamMessage
`;

export const operationFields = /* GraphQL */ `
  id kind state key domainName period price { amount currency } cost { amount currency }
  createdAt submittedAt settledAt nextStep errors { ${errorFields} }
`;

export const quoteFields = /* GraphQL */ `
  period certainty lowest { amount currency } highest { amount currency } renewalPrice { amount currency } reason
`;

const payloadFields = /* GraphQL */ `
  purchase { ${operationFields} }
  quote { ${quoteFields} }
  balanceAfter { amount currency } replayed keyUsed dryRun
  errors { ${errorFields} }
`;

const document = (field: string, input: string, more = '') => /* GraphQL */ `
  mutation ($input: ${input}!) { ${field}(input: $input) { ${payloadFields} ${more} } }
`;

const registerDocument = document('registerDomain', 'RegisterDomainInput');
const transferDocument = document('transferDomain', 'TransferDomainInput', 'notChecked');

export const transferCode = 'Transfer-Code-01';

/** The input of a registration that passes every check, but for what a test changes. */
export const order = (changes: object) => ({
  nameServers: twoHosts,
  registrant: { fields: ada },
  ...changes,
});

const move = (changes: object) => ({ authCode: transferCode, ...changes });

interface ShopOptions extends TestGatewayOptions {
  /** Passes while a request waits, instead of real time. */
  readonly time?: GatewayClock;
}

export async function openShop({ time, ...options }: ShopOptions = {}): Promise<Shop> {
  const clock = time && { clock: time.clock };
  const started = await startTestGateway({ sandboxDomains: 40, ...clock, ...options });
  const gateway = time?.withTime(started) ?? started;
  const reseller = options.env?.DOMAIN_API_USERNAME ?? 'demo';
  const state = async () => (await gateway.admin('GET', `/state?reseller=${reseller}`)) as Payload;
  const buy = async (
    kind: 'register' | 'transfer',
    input: object,
    headers = {},
  ): Promise<Payload> => {
    const [text, whole] =
      kind === 'register' ? [registerDocument, order(input)] : [transferDocument, move(input)];
    const { data, errors } = await gateway.query(text, { input: whole }, headers);
    if (errors) throw new Error(JSON.stringify(errors));
    return data.registerDomain ?? data.transferDomain;
  };
  const buyOne: typeof buy = async (kind, input, headers) => {
    await gateway.resetCalls();
    return buy(kind, input, headers);
  };
  return {
    gateway,
    register: (input, headers) => buyOne('register', input, headers),
    transfer: (input) => buyOne('transfer', input),
    async makeAll(kind, inputs) {
      await gateway.resetCalls();
      const all: Payload[] = [];
      for (const input of inputs) all.push(await buy(kind, input));
      return all;
    },
    async balances() {
      const { balances } = await state();
      return Object.fromEntries(
        balances.map(({ currency, balance }: Payload) => [currency, balance]),
      );
    },
    ledger: async () => (await state()).purchases,
    rows: async (name) => (await gateway.admin('GET', `/domain?name=${name}`)) as Payload,
    arm: async (fault, facts = {}) =>
      void (await gateway.admin('POST', '/faults', { fault, ...facts })),
    async purchase(id) {
      const { data, errors } = await gateway.query(
        `query ($id: ID!) { purchase(by: { id: $id }) { ${operationFields} } }`,
        { id },
      );
      if (errors) throw new Error(JSON.stringify(errors));
      return data.purchase;
    },
    close: () => gateway.close(),
  };
}

/** The number of upstream purchases since the last request began. */
export async function countPurchases({ gateway }: Shop): Promise<number> {
  const { registerdomain = 0, transferdomain = 0 } = await gateway.countCalls();
  return registerdomain + transferdomain;
}

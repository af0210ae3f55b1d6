import { ada } from '../../support/ada.ts';
import {
  errorFields,
  operationFields,
  type Payload,
  quoteFields,
  type Shop,
  transferCode,
} from '../purchases/shop.ts';

const totalFields = /* GraphQL */ `price { amount currency } estimated`;

const orderFields = /* GraphQL */ `
  id key state createdAt finishedAt stopReason
  progress { waiting sending pending inProgress succeeded failed unknown cancelled }
  quoted { ${totalFields} } spent { ${totalFields} }
  lines {
    position kind domainName period state quote { ${quoteFields} }
    purchase { ${operationFields} } errors { ${errorFields} }
  }
`;

const placeDocument = /* GraphQL */ `
  mutation ($input: PlaceOrderInput!) {
    placeOrder(input: $input) {
      order { ${orderFields} } replayed keyUsed errors { ${errorFields} }
      quote { totals { ${totalFields} } lines { errors { code } } errors { code } }
    }
  }
`;

export const defaults = {
  registrant: { fields: ada },
  nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
};

export const registration = (domain: string, more: object = {}) => ({
  registration: { domain, ...more },
});
export const transfer = (domain: string, more: object = {}) => ({
  transfer: { domain, authCode: transferCode, ...more },
});

/** Registrations of so many names with this label. */
export const linesOf = (label: string, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => registration(`${label}-${at}.com`, more));

export const usd = (amount: string) => ({ amount, currency: 'USD' });

async function ask({ gateway }: Shop, document: string, variables: object) {
  const { data, errors } = await gateway.query(document, variables);
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

let keys = 0;

/** Places an order with `defaults` and a new key, but for what `input` changes. Counts calls from its request on. */
export async function placeOrder(shop: Shop, input: object): Promise<Payload> {
  await shop.gateway.resetCalls();
  return sendOrder(shop, input);
}

/** The same without a count. */
export async function sendOrder(shop: Shop, input: object): Promise<Payload> {
  keys += 1;
  const whole = { idempotencyKey: `order-${keys}`, defaults, ...input };
  return (await ask(shop, placeDocument, { input: whole })).placeOrder;
}

export const readOrder = async (shop: Shop, id: string): Promise<Payload> =>
  (await ask(shop, `query ($id: ID!) { order(by: { id: $id }) { ${orderFields} } }`, { id })).order;

/** `by` is an id, or an input. */
export async function cancelOrder(shop: Shop, by: string | object): Promise<Payload> {
  const input = typeof by === 'string' ? { id: by } : by;
  const document = `mutation ($input: LookupInput!) { cancelOrder(input: $input) {
    cancelled order { ${orderFields} } errors { ${errorFields} } } }`;
  return (await ask(shop, document, { input })).cancelOrder;
}

/** The order once `isReached` is true for it; the test's own time limit ends the wait. */
export async function waitForOrder(
  shop: Shop,
  id: string,
  isReached: (order: Payload) => boolean = ({ state }) => state !== 'RUNNING',
): Promise<Payload> {
  for (;;) {
    const order = await readOrder(shop, id);
    if (isReached(order)) return order;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Places an order that is accepted, and waits for its end. */
export async function runOrder(shop: Shop, input: object): Promise<Payload> {
  const { order, errors } = await placeOrder(shop, input);
  if (!order) throw new Error(JSON.stringify(errors));
  return waitForOrder(shop, order.id);
}

export const codesOf = ({ errors }: Payload): readonly string[] =>
  errors.map(({ code }: Payload) => code);

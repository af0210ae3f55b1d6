import type { Pair } from './pair.ts';

export const place = `mutation ($input: PlaceOrderInput!) {
  placeOrder(input: $input) { order { id } errors { code message } } }`;

const defaults = {
  nameServers: ['ns1.example.com', 'ns2.example.com'],
  registrant: {
    fields: {
      firstName: 'Ada',
      lastName: 'Byron',
      email: 'ada@example.com',
      phone: '+44 20 7946 0958',
      address: { line1: '12 St James Square', city: 'London', zipCode: 'SW1Y 4JH', country: 'GB' },
    },
  },
};

/** An order of names that start with its key. */
export const orderInput = (key: string, lines: number) => ({
  idempotencyKey: key,
  // Cheap enough for the balance of the sandbox.
  lines: Array.from({ length: lines }, (_, at) => ({
    registration: { domain: `${key}-${at}.online` },
  })),
  defaults,
});

/** Places the order and returns its id. @throws Error */
export async function placeOrder({ query }: Pair, key: string, lines: number): Promise<string> {
  const { order, errors } = (await query(place, { input: orderInput(key, lines) })).placeOrder;
  if (!order) throw new Error(JSON.stringify(errors).slice(0, 500));
  return order.id;
}

const change = `mutation ($input: ChangeDomainsInput!) {
  changeDomains(input: $input) { bulkChange { id } errors { code message } } }`;

/** Starts a bulk change and returns its id. @throws Error */
export async function changeDomains(
  { query }: Pair,
  key: string,
  names: readonly string[],
): Promise<string> {
  const input = {
    ...{ idempotencyKey: key, names, expectedCount: names.length },
    change: { privacyProtected: true },
  };
  const { bulkChange: job, errors } = (await query(change, { input })).changeDomains;
  if (!job) throw new Error(JSON.stringify(errors).slice(0, 500));
  return job.id;
}

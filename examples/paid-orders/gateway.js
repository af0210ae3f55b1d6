// The requests to the gateway.

const money = '{ amount currency }';
const paymentFields = `
  paid ${money} refunded ${money} refundDue ${money} otherRefundsDue ${money}
  amounts { kind reference accepted amount ${money} }
`;
const dueDocument = `query ($id: ID!) { order(by: { id: $id }) {
  id state lines(first: 500) { kind } payment { state amountDue ${money} }
} }`;
const orderDocument = `query ($id: ID!) { order(by: { id: $id }) {
  state progress { unknown } payment { ${paymentFields} }
} }`;
const refundsDocument = `query ($first: Int!, $after: String) { refundsDue(first: $first, after: $after) {
  nodes { orderId } pageInfo { hasNextPage endCursor }
} }`;

const timeoutMs = 30_000;

export function createGateway({ gatewayUrl, gatewayKey, pageSize }) {
  const url = new URL('/graphql', gatewayUrl);
  const ownHeaders = gatewayKey ? { 'x-api-key': gatewayKey } : {};

  /** @throws Error with the code of the gateway, if it has one */
  async function send(headers, query, variables) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => {
      throw new Error('The gateway does not respond.');
    });
    const { data, errors } = await response.json().catch(() => ({}));
    if (data && !errors) return data;
    const [error] = errors ?? [];
    const message = error?.message ?? `The gateway responded with the status ${response.status}.`;
    throw Object.assign(new Error(message), { code: error?.extensions?.code });
  }

  async function report(field, input, order, reference, amount) {
    const document = `mutation ($input: ${input}!) { ${field}(input: $input) {
      payment { ${paymentFields} } errors { code message }
    } }`;
    const variables = { input: { order: { id: order }, reference, amount } };
    const { [field]: payload } = await send(ownHeaders, document, variables);
    return { payment: payload.payment, error: payload.errors[0] ?? null };
  }

  return {
    /** An order that the caller with these credentials may see; else null. */
    async orderOf(authorization, id) {
      const headers = authorization ? { authorization } : {};
      return (await send(headers, dueDocument, { id })).order;
    },
    /** A paid order of any caller; else null. */
    async order(id) {
      const { order } = await send(ownHeaders, orderDocument, { id });
      return order?.payment ? order : null;
    },
    confirmPayment: (...amount) => report('confirmPayment', 'ConfirmPaymentInput', ...amount),
    recordRefund: (...amount) => report('recordRefund', 'RecordRefundInput', ...amount),
    /** The ids of the orders of which money must be returned. */
    async ordersWithRefundDue() {
      const ids = new Set();
      let after = null;
      for (;;) {
        const { refundsDue } = await send(ownHeaders, refundsDocument, { first: pageSize, after });
        for (const { orderId } of refundsDue.nodes) ids.add(orderId);
        if (!refundsDue.pageInfo.hasNextPage) return ids;
        after = refundsDue.pageInfo.endCursor;
      }
    },
  };
}

import { type Example, person } from '../../server/ui/graphiql/examples.ts';

export const example: Example = {
  query: `# Several domains in one order: the quote first, then
# the order. It runs in the background, so press play
# again and choose "HowFarItIs".
query OrderQuote {
  quoteOrder(input: { lines: [
    { registration: { domain: "maple-harbor.net" } }
    { registration: { domain: "maple-harbor.org" } }
    { registration: { domain: "weather.net" } }
  ] }) {
    totals { price { amount currency } }
    affordable
    lines { domainName errors { code message } }
  }
}

mutation Order {
  placeOrder(input: {
    idempotencyKey: "order-of-the-example"
    onFailure: CONTINUE
    maxTotal: [{ amount: "60", currency: "USD" }]
    defaults: {
      nameServers: ["ns1.example.com", "ns2.example.com"]
      registrant: { fields: ${person} }
    }
    lines: [
      { registration: { domain: "maple-harbor.net" } }
      { registration: { domain: "maple-harbor.org" } }
    ]
  }) {
    order { id state progress { waiting sending pending succeeded failed } }
    errors { code message path }
  }
}

query HowFarItIs {
  order(by: { key: "order-of-the-example" }) {
    state
    progress { waiting sending pending succeeded failed }
    lines { domainName purchase { state } }
  }
}
`,
};

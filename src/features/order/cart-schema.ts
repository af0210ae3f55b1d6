import { costs, noEntities } from '../../schema/cost.ts';
import { cartPayload } from '../../modules/account-api/schema.ts';
import { accountApi } from '../../modules/account-api/service.ts';
import { mutation } from '../../modules/mutation/schema.ts';
import { orders } from './parts.ts';
import type { QuoteOrderInput } from './quote-order.ts';
import { countQuote, orderFields } from './quote-schema.ts';

mutation('createCartFromQuote', {
  needs: 'account:write',
  description:
    "Creates a cart with the exact prices of an order, one item per line, with the caller's own Account API token. Costs the calls of `quoteOrder` and one `POST /carts`, which is never sent a second time.",
  extensions: costs((count, { input }: { input: QuoteOrderInput }) => {
    countQuote(count, input);
    count.calls(1);
    return noEntities;
  }),
  input: {
    argument: 'The order.',
    description: 'The lines of the order and their limits.',
    fields: (t) =>
      orderFields(t, 'Values for registrations. A cart needs no contacts and no name servers.'),
  },
  result:
    'Result of creating a cart. It is refused when a line cannot be bought, when a price is an estimate, and for prices in several currencies.',
  payload: cartPayload,
  async resolve(input, { use }) {
    const { items, errors } = await use(orders).cartItems(input);
    return items ? use(accountApi).sendCart({ items }) : { errors };
  },
});

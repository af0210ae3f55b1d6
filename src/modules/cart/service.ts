import { Fault } from '../../kernel/faults.ts';
import { Decimal } from '../../kernel/money.ts';
import { rawJson } from '../../lib/raw-json.ts';
import { attempt, createChecks } from '../mutation/checks.ts';
import { type AccountDeps, sendOnce } from '../mutation/send.ts';

export interface CartItemInput {
  readonly description: string;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal;
  readonly total?: Decimal | null | undefined;
  readonly productType: string;
}

export interface CartItem extends CartItemInput {
  readonly total: Decimal;
}

export interface Cart {
  /** The id at the registrar; null when the reply has none. */
  readonly id: string | null;
  readonly items: readonly CartItem[];
  readonly total: Decimal;
}

/** Carts of priced lines. Sent once, because no upstream call shows whether a cart exists. */
export const createCartService = ({ api, callOptions }: AccountDeps) => ({
  create: (input: { items: readonly CartItemInput[] }) =>
    attempt(async (): Promise<{ cart: Cart }> => {
      const items = checkItems(input.items);
      const cartDetails = items.map(({ unitPrice, ...item }) => ({
        description: item.description,
        quantity: rawNumber(item.quantity),
        price: rawNumber(unitPrice),
        total: rawNumber(item.total),
        productType: item.productType,
      }));
      const id = await sendOnce(unknownCart, () => api.createCart({ cartDetails }, callOptions()));
      const total = items.reduce((sum, item) => sum.plus(item.total), Decimal.zero);
      return { cart: { id, items, total } };
    }),
});

const unknownCart = {
  message:
    'Whether the cart was created is unknown, and the Account API cannot list carts. Look for it in your account before you send it again: a second call may create a second cart.',
  retryable: false,
};

/** A decimal as a JSON number, exact whatever its length. */
const rawNumber = (decimal: Decimal): unknown => rawJson(decimal.toString());

function checkItems(items: readonly CartItemInput[]): readonly CartItem[] {
  const checks = createChecks();
  checks.check(['input', 'items'], () => {
    if (items.length === 0) throw invalid('A cart needs at least one item.');
  });
  const checked = items.map((item, at) => {
    const path = ['input', 'items', String(at)];
    for (const field of ['description', 'productType'] as const) {
      checks.check([...path, field], () => {
        if (item[field].trim() === '') throw invalid(`"${field}" must not be empty.`);
      });
    }
    const total = item.quantity.times(item.unitPrice);
    checks.check([...path, 'total'], () => {
      if (item.total && item.total.compare(total) !== 0) {
        throw invalid(
          `"total" is ${item.total}, but quantity times unit price is ${total}. Leave it out.`,
        );
      }
    });
    return { ...item, total };
  });
  checks.finish();
  return checked;
}

const invalid = (message: string) => new Fault('INVALID_INPUT', { message });

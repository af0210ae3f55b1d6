import type { Money } from '../kernel/money.ts';
import { builder } from './builder.ts';
import { valueType } from './marks.ts';

export const MoneyRef = builder.objectRef<Money>('Money').implement({
  description: 'An exact amount in one currency.',
  extensions: valueType,
  fields: (t) => ({
    amount: t.expose('amount', {
      type: 'Decimal',
      nullable: false,
      description: 'The exact amount, with at least four fractional digits.',
    }),
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      nullable: false,
      description: 'Currency of the amount.',
    }),
  }),
});

export const MoneyInputRef = builder.inputRef<Money>('MoneyInput').implement({
  description: 'An exact amount in one currency.',
  fields: (t) => ({
    amount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The amount, such as `"12.50"`.',
    }),
    currency: t.field({
      type: 'CurrencyCode',
      required: true,
      description: 'The currency, such as `USD`.',
    }),
  }),
});

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
      description: 'Exact, at least four fractional digits.',
    }),
    currency: t.expose('currency', {
      type: 'CurrencyCode',
      nullable: false,
      description: 'ISO 4217 where it has a code.',
    }),
  }),
});

export const MoneyInputRef = builder.inputRef<Money>('MoneyInput').implement({
  description: 'An exact amount in one currency.',
  fields: (t) => ({
    amount: t.field({ type: 'Decimal', required: true, description: 'Such as `"12.50"`.' }),
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'Such as `USD`.' }),
  }),
});

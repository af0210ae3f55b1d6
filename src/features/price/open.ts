import { followRules } from '../../config/rule-file.ts';
import { ruleFileMetric } from '../../observability/metrics.ts';
import { atCost, noPrices, type RetailPrices, retailPrices } from '../../scope/hooks.ts';
import { fill } from '../../scope/parts.ts';
import type { OpenFeature, ProcessContext } from '../../seam/feature.ts';
import { parsePrices, readPrices, readPricesText } from './file.ts';
import { createPriceList, type PriceList } from './list.ts';
import { missingPrices, priceSourceOf } from './settings.ts';

/** Prices that can change while the gateway runs. */
interface ChangingPrices extends RetailPrices {
  /** Returns a function that removes the listener. */
  readonly onChange: (listener: () => void) => () => void;
  readonly close: () => Promise<void>;
}

/** @throws as `followRules` */
export function open(context: ProcessContext): OpenFeature {
  const { onChange, close, ...prices } = openPrices(context);
  return {
    fills: [
      fill(retailPrices, ({ facts: { revision } }) => ({
        ...prices,
        close: onChange(() => revision.increment()),
      })),
    ],
    background: [retailPrices],
    close,
  };
}

export function openPrices(context: ProcessContext): ChangingPrices {
  const source = priceSourceOf(context.config);
  if (typeof source === 'object') return followPrices(source.file, context);
  const list = source === 'sandbox' ? createPriceList(readPrices(source)) : null;
  const prices = source === 'missing' ? noPrices(missingPrices) : atCost;
  return {
    ...prices,
    ...(list && { current: () => list }),
    onChange: () => () => undefined,
    close: async () => undefined,
  };
}

/** The prices of a file, which may change. */
function followPrices(
  file: string,
  { wallClock: clock, log, metrics }: ProcessContext,
): ChangingPrices {
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  let checkedMs = clock.now().getTime();
  const { current, close } = followRules<PriceList>({
    setting: 'PRICES_FILE',
    name: 'prices',
    readText: () => readPricesText(file),
    parse: (text) => createPriceList(parsePrices(text, clock.now())),
    onRead: metrics ? ruleFileMetric(metrics, 'price', 'PRICES_FILE') : () => undefined,
    onChange: changed,
    onChecked() {
      const nowMs = clock.now().getTime();
      // Cached responses have prices by a rate that is too old now.
      if (current().rateEnds.some((end) => end >= checkedMs && end < nowMs)) changed();
      checkedMs = nowMs;
    },
    clock,
    log,
  });
  return {
    ...{ current, close, missing: null },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

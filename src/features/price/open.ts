import { followRules } from '../../config/rule-file.ts';
import { ruleFileMetric } from '../../observability/metrics.ts';
import { atCost, noPrices, retailPrices } from '../../scope/hooks.ts';
import { fill } from '../../scope/parts.ts';
import type { OpenFeature, ProcessContext } from '../../seam/feature.ts';
import { parsePrices, readPrices, readPricesText } from './file.ts';
import { createPriceList, type PriceList } from './list.ts';
import { missingPrices, priceSourceOf } from './settings.ts';

/** @throws as `followRules` */
export function open(context: ProcessContext): OpenFeature {
  const source = priceSourceOf(context.config);
  if (typeof source === 'object') return followPrices(source.file, context);
  const list = source === 'sandbox' ? createPriceList(readPrices(source)) : null;
  const prices = source === 'missing' ? noPrices(missingPrices) : atCost;
  return {
    fills: [fill(retailPrices, () => ({ ...prices, ...(list && { current: () => list }) }))],
  };
}

/** The prices of a file, which may change. */
function followPrices(
  file: string,
  { wallClock: clock, log, metrics }: ProcessContext,
): OpenFeature {
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
    fills: [
      fill(retailPrices, ({ facts: { revision } }) => {
        const listener = () => revision.increment();
        listeners.add(listener);
        return { current, missing: null, close: () => void listeners.delete(listener) };
      }),
    ],
    background: [retailPrices],
    close,
  };
}

import type { Config } from '../config/config.ts';
import { parsePrices, readPrices, readPricesText } from '../config/price-file.ts';
import { createPriceList, type PriceList } from '../modules/price/price-list.ts';
import { followRules } from './followed-rules.ts';
import type { SharedDeps } from './shared-deps.ts';

/** The price list in force, which follows the price file. @throws as `followRules` */
export function openPrices({
  config,
  wallClock: clock,
  log,
  observation,
}: Pick<SharedDeps, 'config' | 'wallClock' | 'log' | 'observation'>) {
  const { prices: source } = config;
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const shared = {
    areMissing: source === 'missing',
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  if (typeof source === 'string') {
    const list = listOf(source);
    return { ...shared, current: () => list, close: async () => undefined };
  }
  let checkedMs = clock.now().getTime();
  const { current, close } = followRules<PriceList>({
    setting: 'PRICES_FILE',
    name: 'prices',
    readText: () => readPricesText(source.file),
    parse: (text) => createPriceList(parsePrices(text, clock.now())),
    onRead: observation.priceFileRead,
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
  return { ...shared, current, close };
}

/** Null when customers pay the cost. Without rules nothing has a price. */
function listOf(source: Exclude<Config['prices'], object>): PriceList | null {
  if (source === 'cost') return null;
  return createPriceList(
    source === 'missing' ? { rules: [], rates: [], maxRateAgeMs: 0 } : readPrices(source),
  );
}

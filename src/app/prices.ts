import { PriceFileError, parsePrices, readPrices, readPricesText } from '../config/price-file.ts';
import { StartError } from '../lib/start-error.ts';
import { watchFile } from '../lib/watch-file.ts';
import { createPriceList, type PriceList } from '../modules/price/price-list.ts';
import type { SharedDeps } from './shared-deps.ts';

const pollMs = 1_000;

/**
 * Follows the price file. A change takes effect within two seconds; a file that cannot be used changes nothing and is logged.
 *
 * @throws StartError when it cannot be used at the start.
 */
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
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  if (source === null || source === 'sandbox') {
    const list = source && createPriceList(readPrices(source));
    return { ...shared, current: () => list, close: async () => undefined };
  }
  const { file } = source;
  let inForce = readFirst(file);
  let checkedMs = clock.now().getTime();
  observation.priceFileRead(true);

  const watcher = watchFile({
    read() {
      const text = readPricesText(file);
      if (text === inForce.text) observation.priceFileRead(true);
      return text;
    },
    first: inForce.text,
    everyMs: pollMs,
    clock,
    onChange(content) {
      const text = content ?? '';
      if (text === inForce.text) return;
      inForce = pricesOf(text);
      observation.priceFileRead(true);
      log.info('prices changed');
      changed();
    },
    onChecked() {
      const nowMs = clock.now().getTime();
      // Cached responses have prices by a rate that is too old now.
      if (inForce.list.rateEnds.some((end) => end >= checkedMs && end < nowMs)) changed();
      checkedMs = nowMs;
    },
    onError(error) {
      observation.priceFileRead(false);
      log.error('prices unchanged', { error });
    },
  });
  return { ...shared, current: (): PriceList | null => inForce.list, close: () => watcher.close() };
}

const pricesOf = (text: string) => ({ text, list: createPriceList(parsePrices(text)) });

function readFirst(file: string) {
  try {
    return pricesOf(readPricesText(file));
  } catch (error) {
    if (!(error instanceof PriceFileError)) throw error;
    throw new StartError(`PRICES_FILE: ${error.message}`, { cause: error });
  }
}

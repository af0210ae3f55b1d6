import {
  type FeatureValues,
  featureSettings,
  type UpstreamFacts,
} from '../../config/feature-settings.ts';
import { file } from '../../config/formats.ts';

export type PriceFile = { readonly file: string } | 'sandbox';

/**
 * A file, the built-in prices of the embedded sandbox, `cost` for the costs of the registrar, or `missing`: only callers who
 * may know costs buy, at cost.
 */
type PriceSource = PriceFile | 'cost' | 'missing';

/** What `missing` means, and what to do about it. */
export const missingPrices =
  'PRICES_FILE is not set, so that callers without the scope "prices:cost" see no prices and buy nothing; set it to a price file, or to "none" to sell at cost.';

const selected = (
  file: string | undefined,
  { mayBeReal, hasEmbeddedSandbox }: UpstreamFacts,
): PriceSource => {
  if (file === 'none') return 'cost';
  if (file !== undefined) return { file };
  if (hasEmbeddedSandbox) return 'sandbox';
  return mayBeReal ? 'missing' : 'cost';
};

export const priceSettings = featureSettings({
  title: 'Prices',
  rows: {
    PRICES_FILE: {
      example: './prices.json',
      default:
        'with the embedded sandbox the prices of src/features/price/sandbox-prices.json; with another sandbox `none`; with UPSTREAM=live, and at an https address on another machine, no prices: callers without the scope `prices:cost` buy nothing',
      description:
        'JSON file of the prices of the shop, or `none` to sell at cost; see docs/shop.md. A running gateway applies a change of the file within two seconds.',
      ...file,
      namesFile: (text) => text !== 'none',
    },
  },
  check: ({ PRICES_FILE }, facts) => ({
    warnings: [selected(PRICES_FILE, facts) === 'missing' && missingPrices],
  }),
});

/** The source that PRICES_FILE selects. */
export const priceSourceOf = (config: FeatureValues & UpstreamFacts): PriceSource =>
  selected(priceSettings.of(config).PRICES_FILE, config);

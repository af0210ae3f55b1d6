import type { Feature } from '../../seam/feature.ts';
import { priceSettings } from './settings.ts';

declare module '../../lib/programs.ts' {
  interface FeatureCommands {
    readonly prices: true;
  }
}

/** Prices of a shop by the rules of a file. Without it customers pay the cost of a sandbox, and buy nothing of a real registrar. */
export const price: Feature = {
  name: 'price',
  uses: [],
  settings: priceSettings,
  parts: () => import('./open.ts'),
  commands: {
    prices: {
      does: 'Shows the prices of a price file, and checks it.',
      run: async (context) => (await import('./command.ts')).runPrices(context),
    },
  },
};

import { globalId } from '../../kernel/ids.ts';
import { shownJobId } from '../../modules/purchase/parts.ts';
import { fill } from '../../scope/parts.ts';
import type { OpenFeature } from '../../seam/feature.ts';

export const open = (): OpenFeature => ({
  fills: [fill(shownJobId, () => (id) => globalId('Order', id))],
});

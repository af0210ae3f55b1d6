import { globalId } from '../../kernel/global-id.ts';
import { shownJobId } from '../../modules/purchase/parts.ts';
import { fill } from '../../scope/keys.ts';
import type { OpenFeature } from '../../seam/feature.ts';

export const open = (): OpenFeature => ({
  fills: [fill(shownJobId, () => (id) => globalId('Order', id))],
});

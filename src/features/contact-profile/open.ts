import { valueStore } from '../../modules/purchase/registration-values.ts';
import { fill } from '../../scope/parts.ts';
import type { OpenFeature } from '../../seam/feature.ts';
import { profileStore } from './store.ts';
import { createValueStore } from './values.ts';

export const open = (): OpenFeature => ({
  fills: [
    fill(valueStore, ({ caller, tenant: { account }, store }) =>
      createValueStore({ store: store(profileStore), account, caller }),
    ),
  ],
});

import type { OpenFeature } from '../../seam/feature.ts';
import { paymentFills, paymentLoop } from './parts.ts';

export const open = (): OpenFeature => ({ fills: paymentFills, background: [paymentLoop] });

import type { OpenFeature, ProcessContext } from '../../seam/feature.ts';
import { webhookMetrics } from './metrics.ts';
import { webhookDeliveries } from './parts.ts';

export const open = ({ metrics }: ProcessContext): OpenFeature => ({
  background: [...(metrics ? [webhookMetrics(metrics)] : []), webhookDeliveries],
});

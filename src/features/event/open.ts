import type { OpenFeature, ProcessContext } from '../../seam/feature.ts';
import { eventMetrics } from './metrics.ts';
import { eventFills, eventPublisher, eventStreams, watcher } from './parts.ts';

export const open = ({ metrics }: ProcessContext): OpenFeature => ({
  fills: eventFills,
  background: [...(metrics ? [eventMetrics(metrics)] : []), watcher, eventPublisher, eventStreams],
});

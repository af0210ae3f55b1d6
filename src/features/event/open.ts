import type { OpenFeature } from '../../seam/feature.ts';
import { eventFills, eventPublisher, eventStreams, watcher } from './parts.ts';

export const open = (): OpenFeature => ({
  fills: eventFills,
  background: [watcher, eventPublisher, eventStreams],
});

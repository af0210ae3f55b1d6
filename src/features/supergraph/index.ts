import type { Feature } from '../../seam/feature.ts';
import { supergraphSettings } from './settings.ts';

/** The graph as a part of a larger graph: Federation 2, stitching, and a prefix of the type names. */
export const supergraph: Feature = {
  name: 'supergraph',
  uses: [],
  settings: supergraphSettings,
  variants: () => import('./served-graph.ts'),
};

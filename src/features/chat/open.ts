import type { OpenFeature } from '../../seam/feature.ts';
import { fill } from '../../scope/parts.ts';
import { chatFormats } from '../webhook/format.ts';
import { discord, slack, teams, telegram } from './formats.ts';

export const open = (): OpenFeature => ({
  fills: [fill(chatFormats, () => [slack, discord, teams, telegram])],
});

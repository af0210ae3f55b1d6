import { z } from 'zod';
import { featureSettings } from '../../config/feature-settings.ts';
import { flag } from '../../config/formats.ts';

export const supergraphSettings = featureSettings({
  title: 'A larger graph',
  rows: {
    SUBGRAPH: {
      default: 'false',
      description:
        'Adds `_entities` for routers and stitching gateways; with DEVELOPMENT also `_service` and `_sdl`.',
      schema: flag.default(false),
    },
    TYPE_PREFIX: {
      example: 'Acme',
      description:
        'Prefix of every type name except the root types, `Node` and `PageInfo`, such as `Acme`. Avoids collisions with other graphs.',
      schema: z
        .string()
        .regex(
          /^[A-Z][A-Za-z0-9]{0,39}$/,
          'up to 40 letters and digits, starting with a capital letter',
        )
        .default(''),
    },
  },
});

import { featureSettings } from '../../config/feature-settings.ts';
import * as format from '../../config/formats.ts';

export const profileSettings = featureSettings({
  title: 'Contact profiles',
  rows: {
    PROFILES_KEY: {
      default: 'none: contact profiles are stored as text',
      description:
        'Key that encrypts the contacts of profiles in the journal, 32 bytes in base64 or hexadecimal; see docs/shop.md. The same for all replicas.',
      secret: true,
      schema: format.encryptionKey.optional(),
    },
  },
});

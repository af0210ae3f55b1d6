import { featureSettings } from '../../config/feature-settings.ts';
import * as format from '../../config/formats.ts';

export const auditSettings = featureSettings({
  title: 'Audit log',
  rows: {
    AUDIT_REQUIRED: {
      default: 'true',
      description:
        'Refuses writes, and reads of auth codes, that cannot be stored in the audit log. `false` allows them, and logs each missing entry; see docs/audit.md.',
      schema: format.flag.default(true),
    },
    AUDIT_RETENTION_DAYS: {
      description: 'Days after which entries of the audit log are deleted.',
      ...format.number(1, 36_500, 365),
    },
    AUDIT_ADDRESSES: {
      default: 'false',
      description:
        'Stores the IP address of the client in the audit log. Behind a proxy it is the address of the proxy.',
      schema: format.flag.default(false),
    },
  },
});

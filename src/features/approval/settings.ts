import { featureSettings } from '../../config/feature-settings.ts';
import { file } from '../../config/formats.ts';

export const approvalSettings = featureSettings({
  title: 'Approvals',
  rows: {
    APPROVALS_FILE: {
      example: './approvals.json',
      description:
        'JSON file of the requests that a second person must approve; see docs/approvals.md. A running gateway applies a change of the file within two seconds.',
      ...file,
    },
  },
  check: (_values, { isOpen, has }) => ({
    warnings: [
      isOpen &&
        has('APPROVALS_FILE') &&
        'APPROVALS_FILE: while AUTH is open there is no second person, so that what its rules match is never approved.',
    ],
  }),
});

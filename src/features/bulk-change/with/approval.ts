import { mayAny } from '../../../kernel/caller.ts';
import { builder } from '../../../schema/builder.ts';
import { costs, costsEach } from '../../../schema/cost.ts';
import { approvals } from '../../approval/parts.ts';
import { approvalOfJob } from '../../approval/related-schema.ts';
import { ApprovalRef, readableWith } from '../../approval/schema.ts';
import { JobRef, ownOrAll } from '../job-schema.ts';
import { bulkChanges } from '../parts.ts';

builder.objectField(JobRef, 'approval', approvalOfJob);

builder.objectField(ApprovalRef, 'bulkChange', (t) =>
  t.field({
    type: JobRef,
    description: `The bulk change that waits; null for any other operation. ${readableWith}`,
    extensions: {
      selectedByPage:
        '{ state change { setNameServers replaceNameServer { from to } addNameServer removeNameServer privacyProtected sync unlock items } items(first: 100) { domainName target } }',
      ...costs((count, _args, above) => ({
        owners: costsEach(count, above, 'bulk changes of approvals'),
      })),
    },
    resolve({ id, jobKind }, _args, { use, caller }) {
      const { seesAll } = use(approvals);
      const isReadable = jobKind === 'CHANGE' && (seesAll || mayAny(caller, ownOrAll));
      return use(bulkChanges).storedById(isReadable ? id : null, seesAll);
    },
  }),
);

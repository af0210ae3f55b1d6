import { mayAny } from '../../../kernel/caller.ts';
import { builder } from '../../../schema/builder.ts';
import { approvals } from '../../approval/parts.ts';
import { approvalOfJob } from '../../approval/related-schema.ts';
import { registerSubject } from '../../approval/subject.ts';
import { JobRef, ownOrAll } from '../job-schema.ts';
import { bulkChanges } from '../parts.ts';

builder.objectField(JobRef, 'approval', approvalOfJob);

registerSubject('CHANGE', {
  type: JobRef,
  async load({ id }, { use, caller }) {
    const { seesAll } = use(approvals);
    return seesAll || mayAny(caller, ownOrAll) ? use(bulkChanges).storedById(id, seesAll) : null;
  },
  selectedByPage:
    'changeState: state change { setNameServers replaceNameServer { from to } addNameServer removeNameServer privacyProtected sync unlock items } items(first: 100) { domainName target }',
});

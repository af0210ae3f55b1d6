import { ruleFileMetric } from '../../observability/metrics.ts';
import { fill } from '../../scope/parts.ts';
import type { OpenFeature, ProcessContext } from '../../seam/feature.ts';
import { followApprovals } from './followed-file.ts';
import { approvalFills, approvalLoop, approvalRules } from './parts.ts';
import { approvalSettings } from './settings.ts';

export function open({ config, wallClock, log, metrics }: ProcessContext): OpenFeature {
  const rules = followApprovals({
    file: approvalSettings.of(config).APPROVALS_FILE,
    auth: config.auth,
    clock: wallClock,
    log,
    onRead: metrics ? ruleFileMetric(metrics, 'approval', 'APPROVALS_FILE') : () => undefined,
  });
  return {
    fills: [...approvalFills, fill(approvalRules, () => rules.current)],
    background: [approvalLoop],
    close: rules.close,
  };
}

import {
  callersIn,
  parseApprovals,
  readApprovalsText,
  rulesIn,
  unknownCallers,
} from '../config/approval-file.ts';
import { followRules, pollMs } from '../config/followed-rules.ts';
import { readKeysText } from '../config/keys-file.ts';
import type { ApprovalRules } from '../kernel/approval-rules.ts';
import { watchFile } from '../lib/watch-file.ts';
import type { Observation } from './observe.ts';
import type { SharedDeps } from './shared-deps.ts';

/** The rules in force, which follow the approval file; null without one. @throws as `followRules` */
export function openApprovals({
  config: { approvals, auth },
  wallClock: clock,
  log,
  observation,
}: Pick<SharedDeps, 'config' | 'wallClock' | 'log'> & {
  readonly observation: Pick<Observation, 'approvalFileRead'>;
}) {
  const { file } = approvals;
  if (file === undefined) return { current: () => null, close: async () => undefined };
  const keysText = () => (auth.kind === 'open' ? null : readKeysText(auth.keysFile));
  const rules = followRules({
    setting: 'APPROVALS_FILE',
    name: 'approval rules',
    readText: () => readApprovalsText(file),
    parse(text) {
      const content = parseApprovals(text, callersIn(auth, keysText()));
      return { content, inForce: rulesIn(content) };
    },
    onRead: observation.approvalFileRead,
    clock,
    log,
  });
  const keys = watchFile({
    read: keysText,
    first: keysText(),
    everyMs: pollMs,
    clock,
    onChange(text) {
      const unknown = unknownCallers(rules.current().content, callersIn(auth, text));
      if (unknown.length > 0)
        log.warn('approval rules name unknown keys', { reason: unknown.join('; ') });
    },
    // The source of callers reports it.
    onError: () => undefined,
  });
  return {
    current: (): ApprovalRules | null => rules.current().inForce,
    async close(): Promise<void> {
      await Promise.all([rules.close(), keys.close()]);
    },
  };
}

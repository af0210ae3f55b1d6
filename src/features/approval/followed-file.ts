import type { AuthConfig } from '../../config/config.ts';
import { readKeysText } from '../../config/keys-file.ts';
import { followRules, pollMs } from '../../config/rule-file.ts';
import type { Clock } from '../../lib/clock.ts';
import { watchFile } from '../../lib/files.ts';
import type { Log } from '../../observability/log.ts';
import { callersIn, parseApprovals, readApprovalsText, rulesIn, unknownCallers } from './file.ts';
import type { ApprovalRules } from './rules.ts';

interface FollowedFile {
  /** Absent without rules. */
  readonly file: string | undefined;
  readonly auth: AuthConfig;
  readonly clock: Pick<Clock, 'wait'>;
  readonly log: Log;
  /** Receives whether the file could be used when it was last read. */
  readonly onRead: (isUsable: boolean) => void;
}

/** The rules in force, which follow the approval file; null without one. @throws as `followRules` */
export function followApprovals({ file, auth, clock, log, onRead }: FollowedFile) {
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
    onRead,
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

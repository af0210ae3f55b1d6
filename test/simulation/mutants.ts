/** A text of a file of the product, and what stands there instead. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A bug that people make with money, planted to see whether the simulation finds it. */
interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
}

const purchase = 'src/modules/registration/purchase.ts';
const settle = 'src/modules/purchase/settle.ts';
const migrations = 'src/persistence/migrations.ts';

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });
const mutant = (name: string, ...edits: Edit[]): Mutant => ({ name, edits });

/** Of the index that is meant; both are made the same way. */
const notUnique = (index: string) =>
  edit(migrations, `.createIndex('${index}')\n        .unique()`, `.createIndex('${index}')`);

export const mutants: readonly Mutant[] = [
  mutant(
    'sent-again-after-a-crash',
    edit(
      purchase,
      'if (purchase?.fingerprint === fingerprint) return replay(purchase);',
      "if (purchase?.fingerprint === fingerprint && purchase.state !== 'SENDING') return replay(purchase);\n      if (purchase?.state === 'SENDING') return null;",
    ),
    edit(
      purchase,
      "if (claim.outcome === 'replayed') return replay(claim.purchase);",
      "if (claim.outcome === 'replayed') {\n        if (claim.purchase.state === 'SENDING') await outcome(claim.purchase, send);\n        return replay(claim.purchase);\n      }",
    ),
  ),
  mutant(
    'write-repeated',
    edit(
      'src/upstream/policies/retry.ts',
      "  'bulkcheckavailability',",
      "  'bulkcheckavailability',\n  'registerdomain',",
    ),
  ),
  mutant(
    'timeout-taken-for-failure',
    edit(
      purchase,
      "const to = wasNeverSent(fault) ? 'FAILED' : 'PENDING';",
      "const to = 'FAILED';",
    ),
  ),
  mutant(
    'exists-taken-for-no',
    edit(settle, "fault?.executed === 'NO' && !echoes.has(fault.code)", "fault?.executed === 'NO'"),
  ),
  mutant(
    'refusal-of-a-second-copy-believed',
    edit(
      purchase,
      "const to = wasNeverSent(fault) ? 'FAILED'",
      "const to = fault.executed === 'NO' ? 'FAILED'",
    ),
  ),
  mutant(
    'reply-about-another-domain-believed',
    edit(
      purchase,
      'const isOther = reply.name !== null && reply.name !== domain;',
      'const isOther = false;',
    ),
  ),
  mutant(
    'failed-status-under-ok-believed',
    edit(purchase, '(!hasStatus || bringsDomain(reply.state, kind))', 'true'),
  ),
  mutant(
    'no-quiet-window',
    edit(settle, 'if (lookedAtMs - sight.sinceMs < quietMs) return false;', ''),
  ),
  mutant(
    'quiet-window-by-a-clock-that-can-be-set',
    edit(
      settle,
      'return isRefused(purchase) ||',
      'const ageMs = at.getTime() - (purchase.submittedAt ?? at).getTime();\n      Object.assign(sight, { sinceMs: lookedAtMs - ageMs });\n      return isRefused(purchase) ||',
    ),
  ),
  mutant(
    'one-read-is-enough',
    edit(settle, 'const readsApartMs = 5_000;', 'const readsApartMs = 0;'),
  ),
  mutant(
    'sent-before-it-is-marked',
    edit(
      purchase,
      'const markedAtMs = clock.monotonicMs();',
      'const markedAtMs = clock.monotonicMs();\n      const early = send();\n      early.catch(() => undefined);',
    ),
    edit(purchase, 'sendOnce(sent, markedAtMs, send)', 'sendOnce(sent, markedAtMs, () => early)'),
  ),
  mutant(
    'sent-however-late',
    edit(purchase, 'clock.monotonicMs() - markedAtMs > sendWithinMs', 'false'),
  ),
  mutant(
    'key-that-expires',
    notUnique('operations_by_key'),
    edit(
      purchase,
      'const purchase = key === null ? null : await journal.byKey(account, key);',
      'const known = key === null ? null : await journal.byKey(account, key);\n      const purchase = known?.settledAt ? null : known;',
    ),
  ),
  mutant('lock-of-one-replica', notUnique('operations_open')),
  mutant(
    'accepted-transfer-taken-for-complete',
    edit(
      'src/modules/purchase/possession.ts',
      "if (isUnderWay(details.state, kind)) return 'underWay';",
      "if (isUnderWay(details.state, kind)) return 'held';",
    ),
  ),
  mutant(
    'one-read-of-a-failed-transfer-is-enough',
    edit(
      'src/modules/purchase/follow.ts',
      '!watch.confirmsFailure(id, lookedAtMs, pace.leastMs)',
      'false',
    ),
  ),
  mutant(
    'rejected-transfer-taken-for-complete',
    edit(
      'src/modules/purchase/follow.ts',
      'return conclude(deps, purchase, await failureOf(deps, purchase, details.failedTransfer));',
      "return conclude(deps, purchase, { to: 'SUCCEEDED', at });",
    ),
  ),
  mutant(
    'outcome-write-lost',
    edit(
      'src/modules/purchase/conclude.ts',
      "const sentStates: readonly PurchaseState[] = ['SENDING', 'PENDING'];",
      "const sentStates: readonly PurchaseState[] = ['PENDING'];",
    ),
  ),
  mutant(
    'pre-owned-taken-for-ours',
    edit(purchase, 'const obstacle = obstacleIn(details, kind);', 'const obstacle = null;'),
  ),
  mutant(
    'stale-read-before-the-call-believed',
    edit(purchase, 'return isFresh ?', 'return isFresh && false ?'),
  ),
  mutant(
    'unlisted-code-taken-for-refusal',
    edit(
      'src/upstream/error-codes.ts',
      "if (!meaning) return { fault: 'UPSTREAM_REJECTED', executed: 'UNKNOWN' };",
      "if (!meaning) return { fault: 'UPSTREAM_REJECTED', executed: 'NO' };",
    ),
  ),
  mutant(
    'refusal-of-a-broken-server-believed',
    edit('src/upstream/classify.ts', "...(reply.status >= 500 && { executed: 'UNKNOWN' }),", ''),
  ),
  mutant(
    'reconciler-ends-with-the-first-trouble',
    edit(
      'src/modules/purchase/reconciler.ts',
      'if (stop.signal.aborted) return;\n        //',
      'return;\n        //',
    ),
  ),
  mutant(
    'fingerprint-without-the-period',
    edit(
      'src/modules/registration/fingerprint.ts',
      ".filter(([, member]) => member !== null && member !== '')",
      ".filter(([key, member]) => key !== 'period' && member !== null && member !== '')",
    ),
  ),
  mutant(
    'login-in-a-message',
    edit(
      'src/upstream/domain-api/client.ts',
      'redactValues([username, password.reveal(), ...secretsOf(fields)])',
      'redactValues([])',
    ),
  ),
  mutant(
    'deletion-repeated',
    edit(
      'src/modules/send.ts',
      '  try {\n    return await send();\n  } catch (error) {\n    const isCertain',
      '  try {\n    return await send().catch(() => send());\n  } catch (error) {\n    const isCertain',
    ),
  ),
  mutant(
    'limits-outside-the-claim',
    edit(
      'src/persistence/journal.ts',
      'eb.and(mayBeClaimed(claim, limits).map(',
      'eb.and(mayBeClaimed(claim, { GATEWAY: {}, KEY: {} }).map(',
    ),
  ),
  mutant(
    'time-zone-slip',
    edit(
      'src/persistence/spending.ts',
      'timeText(new Date(time.getTime() - ms))',
      'timeText(new Date(time.getTime() - ms + 3 * 60 * 60_000))',
    ),
  ),
  mutant(
    'absent-in-bulk-taken-for-available',
    edit(
      'src/modules/availability/check.ts',
      "if (!offer) return { name, state: 'UNKNOWN', offer: null, fault: silent };",
      "if (!offer) return { name, state: 'AVAILABLE', offer: null, fault: null };",
    ),
  ),
];

/** A text of a source file and its replacement. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A typical bug of payment code, planted to test the simulation. */
interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
}

const purchaseFlow = 'src/modules/registration/purchase-flow.ts';
const settle = 'src/modules/purchase/settle.ts';
const migrations = 'src/persistence/migrations.ts';

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });
const mutant = (name: string, ...edits: Edit[]): Mutant => ({ name, edits });

/** Makes one of the two unique indexes not unique. */
const notUnique = (index: string) =>
  edit(migrations, `.createIndex('${index}')\n        .unique()`, `.createIndex('${index}')`);

export const mutants: readonly Mutant[] = [
  mutant(
    'sent-again-after-a-crash',
    edit(
      purchaseFlow,
      'if (purchase?.fingerprint === fingerprint) return replay(deps, purchase);',
      "if (purchase?.fingerprint === fingerprint && purchase.state !== 'SENDING') return replay(deps, purchase);\n  if (purchase?.state === 'SENDING') return null;",
    ),
    edit(
      purchaseFlow,
      "if (claim.outcome === 'replayed') {",
      "if (claim.outcome === 'replayed') {\n      if (claimed.state === 'SENDING') await sendPurchase(deps, send, claimed, deps.clock.monotonicMs());",
    ),
  ),
  mutant(
    'write-repeated',
    edit(
      'src/upstream/policies/retry.ts',
      'const mostAttempts = { read: 3, write: 1 };',
      'const mostAttempts = { read: 3, write: 3 };',
    ),
  ),
  mutant(
    'timeout-taken-for-failure',
    edit(
      purchaseFlow,
      "const to = wasNeverSent(fault) ? 'FAILED' : 'PENDING';",
      "const to = 'FAILED';",
    ),
  ),
  mutant(
    'exists-taken-for-no',
    edit(
      settle,
      "fault?.executed === 'NO' && !ambiguousRefusals.has(fault.code)",
      "fault?.executed === 'NO'",
    ),
  ),
  mutant(
    'refusal-of-a-second-copy-believed',
    edit(
      purchaseFlow,
      "const to = wasNeverSent(fault) ? 'FAILED'",
      "const to = fault.executed === 'NO' ? 'FAILED'",
    ),
  ),
  mutant(
    'reply-about-another-domain-believed',
    edit(
      purchaseFlow,
      'const isOther = reply.name !== null && reply.name !== domain;',
      'const isOther = false;',
    ),
  ),
  mutant(
    'failed-status-under-ok-believed',
    edit(purchaseFlow, '(!hasStatus || bringsDomain(reply.state, kind))', 'true'),
  ),
  mutant(
    'no-quiet-window',
    edit(settle, 'if (readAtMs - sighting.sinceMs < quietMs) return false;', ''),
  ),
  mutant(
    'quiet-window-by-a-clock-that-can-be-set',
    edit(
      settle,
      'return isRefused(purchase) ||',
      'const ageMs = at.getTime() - (purchase.submittedAt ?? at).getTime();\n      Object.assign(sighting, { sinceMs: readAtMs - ageMs });\n      return isRefused(purchase) ||',
    ),
  ),
  mutant(
    'one-read-is-enough',
    edit(settle, 'const readsApartMs = 5_000;', 'const readsApartMs = 0;'),
  ),
  mutant(
    'sent-before-it-is-marked',
    edit(
      purchaseFlow,
      'const markedAtMs = deps.clock.monotonicMs();',
      'const markedAtMs = deps.clock.monotonicMs();\n    const early = send(deps.domainApi, domain, deps.options);\n    early.catch(() => undefined);',
    ),
    edit(
      purchaseFlow,
      'const fault = await sendPurchase(deps, send, sending',
      'const fault = await sendPurchase(deps, () => early, sending',
    ),
  ),
  mutant(
    'sent-however-late',
    edit(purchaseFlow, 'clock.monotonicMs() - markedAtMs > sendWithinMs', 'false'),
  ),
  mutant(
    'key-that-expires',
    notUnique('operations_by_key'),
    edit(
      purchaseFlow,
      'const purchase = key === null ? null : await journal.byKey(account, key);',
      'const known = key === null ? null : await journal.byKey(account, key);\n      const purchase = known?.settledAt ? null : known;',
    ),
  ),
  mutant('lock-of-one-replica', notUnique('operations_open')),
  mutant(
    'accepted-transfer-taken-for-complete',
    edit(
      'src/modules/purchase/ownership.ts',
      "if (isUnderWay(details.state, kind)) return 'transferring';",
      "if (isUnderWay(details.state, kind)) return 'owned';",
    ),
  ),
  mutant(
    'one-read-of-a-failed-transfer-is-enough',
    edit(
      'src/modules/purchase/follow.ts',
      '!sightings.confirmsFailure(id, readAtMs, pace.leastMs)',
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
    edit(purchaseFlow, 'const obstacle = obstacleIn(details, kind);', 'const obstacle = null;'),
  ),
  mutant(
    'stale-read-before-the-call-believed',
    edit(purchaseFlow, 'return isFresh ?', 'return isFresh && false ?'),
  ),
  mutant(
    'unlisted-code-taken-for-refusal',
    edit(
      'src/upstream/wire/error-codes.ts',
      "if (!meaning) return { fault: 'UPSTREAM_REJECTED', executed: 'UNKNOWN' };",
      "if (!meaning) return { fault: 'UPSTREAM_REJECTED', executed: 'NO' };",
    ),
  ),
  mutant(
    'refusal-of-a-broken-server-believed',
    edit(
      'src/upstream/wire/classify.ts',
      "...(response.status >= 500 && { executed: 'UNKNOWN' }),",
      '',
    ),
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
      'src/modules/registration/idempotency.ts',
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
      'src/modules/mutation/send.ts',
      '  try {\n    return await send();\n  } catch (error) {\n    const isCertain',
      '  try {\n    return await send().catch(() => send());\n  } catch (error) {\n    const isCertain',
    ),
  ),
  mutant(
    'limits-outside-the-claim',
    edit(
      'src/persistence/journal.ts',
      'eb.and(claimConditions(claim, limits).map(',
      'eb.and(claimConditions(claim, { GATEWAY: {}, KEY: {} }).map(',
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
      'if (!offer) return unknown(null, silent);',
      "if (!offer) return { ...unknown(null, silent), state: 'AVAILABLE', fault: null };",
    ),
  ),
];

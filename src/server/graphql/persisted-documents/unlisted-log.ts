import { LRUCache } from 'lru-cache';
import type { Log } from '../../../observability/log.ts';
import { parseWithinLimits } from '../limits/parse-within.ts';
import { sha256 } from './document-texts.ts';

/** Logged documents that are remembered. */
const maxLogged = 10_000;
/** Characters. */
const maxNamesLength = 100;

/**
 * Logs each unlisted document once, by its SHA-256 and the names of its operations. Its text may contain personal data and
 * is not logged. Invalid documents are not logged.
 */
export function createUnlistedLog(log: Log): (text: string) => void {
  const logged = new LRUCache<string, true>({ max: maxLogged });
  return (text) => {
    const document = sha256(text);
    if (logged.get(document)) return;
    logged.set(document, true);
    const operation = operationNames(text);
    if (operation === null) return;
    log.warn('a document is not in the manifest', { document, operation });
  };
}

function operationNames(text: string): string | null {
  try {
    const names = parseWithinLimits(text, { noLocation: true }).definitions.flatMap((one) =>
      one.kind === 'OperationDefinition' ? [one.name?.value ?? 'without a name'] : [],
    );
    return names.join(', ').slice(0, maxNamesLength);
  } catch {
    return null;
  }
}

import { Recent } from '../kernel/recent.ts';
import type { Log } from '../observability/log.ts';
import { sha256 } from './document-texts.ts';
import { parseWithinLimits } from './limits/parse-within.ts';

/** Documents of which it is remembered that they were logged. */
const mostRemembered = 10_000;
const longestNames = 100;

/**
 * Logs each document once, by its SHA-256 and the names of its operations; its text may hold what must not be logged. What
 * is no document is not logged.
 */
export function createUnlistedLog(log: Log): (text: string) => void {
  const logged = new Recent<string, true>(mostRemembered);
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
    return names.join(', ').slice(0, longestNames);
  } catch {
    return null;
  }
}

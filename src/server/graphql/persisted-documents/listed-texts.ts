import { hash } from 'node:crypto';
import { Kind, type OperationDefinitionNode, stripIgnoredCharacters } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../../observability/log.ts';
import { cachedByText } from '../documents.ts';
import { parseWithinLimits } from '../limits/check-document.ts';

/** Creates a predicate for membership in `texts` that ignores blanks, commas and comments. */
export function createListedTexts(texts: Iterable<string>): (text: string) => boolean {
  const listed = new Set([...texts].flatMap((text) => [text, bare(text)]));
  const cached = cachedByText<boolean>();
  return (text) => {
    if (listed.has(text)) return true;
    const isListed = cached.get(text) ?? listed.has(bare(text));
    cached.set(text, isListed);
    return isListed;
  };
}

/** The text without ignored characters; unchanged if it cannot be parsed. */
export function bare(text: string): string {
  try {
    return stripIgnoredCharacters(text);
  } catch {
    return text;
  }
}

/** Whether all operations of a document are introspection only; false for an invalid document. */
export const onlyIntrospects = (text: string): boolean =>
  operationsOf(text)?.every(({ selectionSet }) =>
    selectionSet.selections.every(
      (field) => field.kind === Kind.FIELD && field.name.value.startsWith('__'),
    ),
  ) ?? false;

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
    const document = hash('sha256', text);
    if (logged.get(document)) return;
    logged.set(document, true);
    const names = operationsOf(text)?.map(({ name }) => name?.value ?? 'without a name');
    if (!names) return;
    const operation = names.join(', ').slice(0, maxNamesLength);
    log.warn('a document is not in the manifest', { document, operation });
  };
}

/** Null for an invalid document. */
function operationsOf(text: string): readonly OperationDefinitionNode[] | null {
  try {
    const { definitions } = parseWithinLimits(text, { noLocation: true });
    return definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  } catch {
    return null;
  }
}

import * as syntax from '../../../lib/json-syntax.ts';
import { resultOr } from '../../../lib/result-or.ts';
import { excessSentence, isReserved, jsonLimits, reservedSentence } from './limits.ts';

/** An open object or list. */
interface Level {
  /** The keys so far; null for a list. */
  readonly keys: Set<string> | null;
  items: number;
}

/**
 * Why a JSON text is refused that `JSON.parse` accepts: a duplicate key, on which readers disagree, a reserved key, or an
 * exceeded limit. Null when there is no reason. It ignores invalid JSON and stores no values.
 */
export function findJsonFlaw(text: string): string | null {
  if (syntax.isDeeperThan(text, jsonLimits.depth.most)) {
    return excessSentence(subject, jsonLimits.depth, null);
  }
  const levels: Level[] = [];
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    const level = levels.at(-1);
    switch (text.charCodeAt(at)) {
      case syntax.openObject:
      case syntax.openList:
        levels.push({ keys: text[at] === '{' ? new Set() : null, items: 1 });
        break;
      case syntax.closeObject:
      case syntax.closeList:
        levels.pop();
        break;
      case syntax.comma:
        if (level?.keys !== null || ++level.items <= jsonLimits.listItems.most) break;
        return excessSentence(subject, jsonLimits.listItems, null);
      case syntax.quote: {
        const end = syntax.endOfString(text, at);
        if (end < 0) return null;
        if (level?.keys && isKey(text, end)) {
          const key = readKey(text.slice(at, end + 1));
          if (isReserved(key)) return reservedSentence(key);
          if (level.keys.has(key)) return `The key ${quoted(key)} occurs twice in one object.`;
          level.keys.add(key);
          keys += 1;
          if (keys > jsonLimits.keys.most) return excessSentence(subject, jsonLimits.keys, null);
        }
        at = end;
      }
    }
  }
  return null;
}

const subject = 'The JSON of a request';

/** Whether a colon follows. */
function isKey(text: string, end: number): boolean {
  let next = end + 1;
  while (/\s/.test(text[next] ?? '')) next += 1;
  return text.charCodeAt(next) === syntax.colon;
}

function readKey(written: string): string {
  if (!written.includes('\\')) return written.slice(1, -1);
  // Invalid JSON is reported later, by `JSON.parse` of the whole text.
  return resultOr(() => JSON.parse(written), written);
}

const quoted = (key: string) => JSON.stringify(key.slice(0, 40));

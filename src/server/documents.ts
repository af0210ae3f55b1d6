import type { DocumentNode } from 'graphql';
import type { YogaServerInstance } from 'graphql-yoga';
import { delayingDirectives } from './delaying.ts';
import { keptByText } from './kept-by-text.ts';

/** What Yoga reads a document with, by all the rules that stand on the full way. */
export type Envelop = (
  context: object,
) => ReturnType<YogaServerInstance<object, object>['getEnveloped']>;

export type Prepare = (text: string, operationName?: string | null) => DocumentNode | null;

/**
 * Reads documents for the plain way: parsed and validated by the full way, so by every rule that stands there, and once for
 * each text. Null for one that breaks a rule, and for one whose answer may come in parts.
 */
export function createDocuments(envelop: Envelop): Prepare {
  const kept = keptByText<DocumentNode>();

  const read: Prepare = (text, operationName) => {
    // What Yoga's own rules look at. They mark their errors, which Yoga remembers for when the full way asks again.
    const request = { method: 'POST' };
    const { parse, validate, schema } = envelop({
      request,
      params: { query: text, operationName },
    });
    try {
      const document = parse(text) as DocumentNode;
      if (delayingDirectives(document).length > 0) return null;
      return validate(schema, document).length === 0 ? document : null;
    } catch {
      return null;
    }
  };

  return (text, operationName) => {
    const known = kept.get(text);
    if (known) return known;
    const document = read(text, operationName);
    if (document) kept.set(text, document);
    return document;
  };
}

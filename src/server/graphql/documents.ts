import {
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import type { YogaServerInstance } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';

/** A cache of values by the text of their document. It ignores texts of more than 20,000 characters, which bounds the memory. */
export const cachedByText = <Value extends NonNullable<unknown>>() =>
  new LRUCache<string, Value>({
    max: 1_000,
    maxEntrySize: 20_000,
    // A size is at least 1.
    sizeCalculation: (_value, { length }) => Math.max(1, length),
  });

/** Parses and validates a document with all plugins of Yoga, for a context such as `{ params }`. */
export type Envelop = (
  context: object,
) => ReturnType<YogaServerInstance<object, object>['getEnveloped']>;

/** A valid document with the requested operation. */
interface ValidDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** Parses and validates documents for the fast path as the Yoga path does, and caches valid ones by their text. */
export class Documents {
  readonly #envelop: Envelop;
  readonly #valid = cachedByText<DocumentNode>();

  constructor(envelop: Envelop) {
    this.#envelop = envelop;
  }

  read(
    text: string,
    operationName: string | null | undefined,
  ): ValidDocument | { readonly errors: readonly GraphQLError[] } {
    const cached = this.#valid.get(text);
    const known = cached && getOperationAST(cached, operationName);
    if (known) return { document: cached, operation: known };
    // The members of the context that Yoga's own plugins read.
    const context = { request: { method: 'POST' }, params: { query: text, operationName } };
    const { parse, validate, schema } = this.#envelop(context);
    try {
      const document: DocumentNode = parse(text);
      const errors = validate(schema, document) as readonly GraphQLError[];
      if (errors.length > 0) return { errors };
      const operation = getOperationAST(document, operationName);
      if (!operation) throw new Error('Yoga accepted a document without the requested operation.');
      this.#valid.set(text, document);
      return { document, operation };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }
}

/**
 * A document with the types of its result and its variables, as text or as a parsed document. gql.tada, and GraphQL Code
 * Generator in each of its modes, make such documents.
 */
export type TypedDocument<Result, Variables> = (string | object) & {
  readonly __apiType?: (variables: Variables) => Result;
};

/** Writes a parsed document as text, such as `print` of `graphql`. */
export type PrintDocument = (document: never) => string;

/** @throws TypeError when a parsed document has no text, and there is no `print`. */
export function textOf(document: string | object, print: PrintDocument | undefined): string {
  if (typeof document === 'string' || document instanceof String) return String(document);
  const { loc } = document as { readonly loc?: { readonly source?: { readonly body?: unknown } } };
  const body = loc?.source?.body;
  if (typeof body === 'string') return body;
  if (print) return print(document as never);
  throw new TypeError(
    'This document has no text: pass `print` of "graphql" to createClient, or generate documents with `documentMode: "string"`.',
  );
}

/** The types of the scalars in JSON, for gql.tada and as a reference for other generators. */
export interface Scalars {
  /** Such as `USD`. */
  CurrencyCode: string;
  /** ISO 8601 in UTC, such as `2026-11-24T09:00:00.000Z`. */
  DateTime: string;
  /** An exact decimal, such as `11.2900`. A number would round it. */
  Decimal: string;
  /** In ASCII, such as `xn--bcher-kva.example`. An input may have any spelling. */
  DomainName: string;
  ID: string;
  URL: string;
}

import type { TypedDocument } from './document.ts';
import { ClientError } from './error.ts';
import type { ClientTransport, RequestOptions } from './transport.ts';

/** A page of a connection, of which a document selects at least `nodes` and `pageInfo { hasNextPage endCursor }`. */
export interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** The nodes of all pages. It reads the next page when the nodes of the one before are used up. */
export async function* paginate<
  Result,
  Variables extends { after?: string | null | undefined },
  Node,
>(
  transport: ClientTransport,
  document: TypedDocument<Result, Variables>,
  variables: Variables,
  pageOf: (result: Result) => Page<Node> | null,
  options: RequestOptions = {},
): AsyncGenerator<Node, void, undefined> {
  for (let { after } = variables; ; ) {
    const page = pageOf(await transport.request(document, { ...variables, after }, options));
    if (!page) return unreadable();
    yield* page.nodes;
    const { hasNextPage, endCursor } = page.pageInfo;
    if (!hasNextPage) return;
    if (!endCursor || endCursor === after) throw notAdvancing();
    after = endCursor;
  }
}

/** For a list that is null: `onErrors` has its errors. */
export function unreadable(): never {
  throw new ClientError('The list could not be read.', { code: 'UNEXPECTED_RESPONSE' });
}

const notAdvancing = () =>
  new ClientError(
    'The document must select `pageInfo { hasNextPage endCursor }` and pass `$after` as `after`: the second page would be the first one again.',
    { code: 'INVALID_REQUEST' },
  );

import type { AnyVariables, Client, TypedDocumentNode } from 'urql';
import { errorText, type Refusal, sentencesOf } from './error-text.ts';

interface Result {
  readonly payload: { readonly errors: readonly Refusal[] };
}

/** Sends a change. Resolves to why it was refused; empty when it was made. */
export async function sendChange<Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<string> {
  const { data, error } = await client.mutation(document, variables).toPromise();
  return error ? errorText(error) : sentencesOf(data?.payload.errors ?? []).join(' ');
}

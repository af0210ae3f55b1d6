/** What a client asks for, in the body of its POST. */
export interface Params {
  /** Absent where another member says which document is meant. */
  readonly query?: string | null;
  /** The id of a document of the manifest. */
  readonly documentId?: string | null;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

const members = new Set(['query', 'documentId', 'operationName', 'variables', 'extensions']);

/** Null for everything that is not just what the specification describes. */
export function readParams(text: string): Params | null {
  let params: unknown;
  try {
    params = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(params)) return null;
  const { query, documentId, operationName, variables, extensions } = params;
  const isPlain =
    Object.keys(params).every((name) => members.has(name)) &&
    [query, documentId, operationName].every((one) => isAbsent(one) || typeof one === 'string') &&
    [variables, extensions].every((one) => isAbsent(one) || isObject(one));
  return isPlain ? (params as Params) : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isAbsent = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

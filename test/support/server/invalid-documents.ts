import { buildSchema, GraphQLError, getOperationAST, parse, validate } from 'graphql';
import { readVariables } from '../../../src/lib/graphql-js.ts';

export const schema = buildSchema(/* GraphQL */ `
  directive @own(level: Int) on FIELD
  scalar Code
  enum State { OPEN CLOSED }
  input Filter { state: State, limit: Int, codes: [Code!], deep: Filter, must: Boolean! }
  type Domain { name: String, more: Domain }
  type Query {
    name: String
    domain(name: String!, id: ID, flag: Boolean, rate: Float, first: Int): Domain
    list(filter: Filter, limit: Int, states: [State!], codes: [[Code]]): [Domain]
  }
`);
Object.assign(schema.getType('Code') ?? {}, {
  parseValue(value: unknown) {
    throw new GraphQLError(`Code cannot represent value: ${JSON.stringify(value)}`);
  },
  parseLiteral() {
    throw new Error('It is odd');
  },
});

/** The first error of graphql-js about a document or its variables. */
export function errorOf(document: string, variables: Record<string, unknown> = {}): GraphQLError {
  const [error] = errorsOf(document, variables);
  if (!error) throw new Error('The document is valid.');
  return error;
}

function errorsOf(text: string, variables: Record<string, unknown>): readonly GraphQLError[] {
  try {
    const document = parse(text);
    const errors = validate(schema, document);
    if (errors.length > 0) return errors;
    const { variableDefinitions = [] } = getOperationAST(document) ?? {};
    return readVariables(schema, variableDefinitions, variables).errors ?? [];
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

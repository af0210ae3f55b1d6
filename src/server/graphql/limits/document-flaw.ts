import {
  BREAK,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { documentFault } from '../errors/request-fault.ts';
import { createSizes, limitOf, type Size } from './document-size.ts';
import { documentLimits, excessSentence, isReserved, reservedSentence } from './limits.ts';

/**
 * Why a document is refused before validation, whose rules can take much more time than the size of the document; null
 * when it is within all limits. The parser has checked the nesting of brackets.
 */
export function findDocumentFlaw(document: DocumentNode): GraphQLError | null {
  const { definitions } = document;
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  // First, because the other checks follow fragments recursively.
  return (
    excess('A document', 'fragments', fragments.length) ??
    excess('A document', 'operations', operations.length) ??
    flawInText(document) ??
    flawInSize(document, [...operations, ...fragments])
  );
}

function flawInSize(
  document: DocumentNode,
  parts: readonly (OperationDefinitionNode | FragmentDefinitionNode)[],
): GraphQLError | null {
  const sizes = createSizes(document);
  for (const part of parts) {
    const size = sizes.ofDefinition(part);
    for (const [measure, limit] of Object.entries(limitOf)) {
      // The limit of root fields holds for operations only.
      if (measure === 'topFields' && part.kind === Kind.FRAGMENT_DEFINITION) continue;
      const count = size[measure as keyof Size];
      if (count > limit.most) return tooLarge(excessSentence('A document', limit, count));
    }
  }
  return null;
}

/** Checks names and lists, each once, however often its fragment is spread. */
function flawInText(document: DocumentNode): GraphQLError | null {
  let flaw: GraphQLError | null = null;
  const note = (found: GraphQLError | null) => {
    flaw = found;
    return found ? BREAK : undefined;
  };
  const named = (name: string | undefined) =>
    name !== undefined && isReserved(name)
      ? documentFault('BAD_USER_INPUT', reservedSentence(name))
      : null;
  const defined = ({ name }: DefinitionNode & { readonly name?: { readonly value: string } }) =>
    named(name?.value);
  visit(document, {
    FragmentDefinition: (node) => note(defined(node)),
    OperationDefinition: (node) =>
      note(
        defined(node) ?? excess('A document', 'variables', node.variableDefinitions?.length ?? 0),
      ),
    VariableDefinition: (node) => note(named(node.variable.name.value)),
    Field: (node) => note(named(node.alias?.value)),
    ListValue: (node) => note(excess('A document', 'listItems', node.values.length)),
  });
  return flaw;
}

function excess(
  subject: string,
  name: keyof typeof documentLimits,
  count: number,
): GraphQLError | null {
  const limit = documentLimits[name];
  return count > limit.most ? tooLarge(excessSentence(subject, limit, count)) : null;
}

const tooLarge = (message: string) => documentFault('DOCUMENT_TOO_LARGE', message);

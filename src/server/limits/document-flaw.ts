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
import { documentFault } from '../request-fault.ts';
import { createSizes, limitOf, type Size } from './document-size.ts';
import { documentLimits, excessSentence } from './limits.ts';
import { isReserved, reservedSentence } from './reserved-names.ts';

/**
 * Why a document is refused before any rule of validation looks at it, some of which take much longer than the document
 * is; null when it is within all limits. Its brackets are within theirs already.
 */
export function findDocumentFlaw(document: DocumentNode): GraphQLError | null {
  const { definitions } = document;
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const operations = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  // Before anything follows fragments, as deep as there are of them.
  return (
    excess('A document', 'fragments', fragments.length) ??
    excess('A document', 'operations', operations.length) ??
    flawInWriting(document) ??
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
      // The fields at the top of a fragment are not those of an operation.
      if (measure === 'topFields' && part.kind === Kind.FRAGMENT_DEFINITION) continue;
      const count = size[measure as keyof Size];
      if (count > limit.most) return tooLarge(excessSentence('A document', limit, count));
    }
  }
  return null;
}

/** Of what stands in the text as it is, wherever it is spread. */
function flawInWriting(document: DocumentNode): GraphQLError | null {
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

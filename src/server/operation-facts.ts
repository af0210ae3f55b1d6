import type { OperationDefinitionNode } from 'graphql';
import type { OperationFacts } from '../observability/tracing.ts';
import { sha256 } from './document-texts.ts';
import type { Begun } from './layer.ts';

const plainName = /^[_A-Za-z]\w{0,63}$/;
/** Hexadecimal digits that tell one document from the next. */
const shownDigits = 12;

/** Describes operations in words that hold nothing of their text but a plain name; each is described once. */
export function createOperationFacts() {
  const known = new WeakMap<OperationDefinitionNode, OperationFacts>();
  return ({ operation, text }: Begun): OperationFacts => {
    const facts = known.get(operation);
    if (facts) return facts;
    const name = operation.name?.value ?? '';
    const made: OperationFacts = {
      kind: operation.operation,
      name: plainName.test(name) ? name : null,
      document: sha256(text).slice(0, shownDigits),
    };
    known.set(operation, made);
    return made;
  };
}

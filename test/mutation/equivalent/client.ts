import type { EquivalentMutant } from '../equivalent.ts';

const resume = 'src/client/resume.ts';
const streams = 'src/client/streams.ts';
const transport = 'src/client/transport.ts';
const onceLine = "signal?.addEventListener('abort', dispose, { once: true });";
const removed =
  'The listener is removed at the end of the subscription, and `dispose` does nothing twice.';

/** Of `src/client`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    ...{ file: resume, mutator: 'OptionalChaining' },
    line: 'reject(signal?.reason);',
    original: 'signal?.reason',
    replacement: 'signal.reason',
    reason: 'Only a signal calls the listener; the type does not show that.',
  },
  {
    ...{ file: streams, mutator: 'CallExpression' },
    line: "throw new Error('A resumed stream does not end.');",
    original: "throw new Error('A resumed stream does not end.');",
    replacement: ';',
    reason: 'The line is never reached; the type of the result requires it.',
  },
  {
    ...{ file: streams, mutator: 'StringLiteral', original: "''" },
    line: "let last = '';",
    replacement: '"Stryker was here!"',
    reason: 'No order in JSON is this text.',
  },
  {
    ...{ file: transport, mutator: 'ObjectLiteral' },
    line: "const [{ message, extensions } = { message: 'The response has errors.' }] = errors;",
    original: "{ message: 'The response has errors.' }",
    replacement: '{}',
    reason: 'The list is never empty; its type does not show that.',
  },
  {
    ...{ file: transport, mutator: 'ObjectLiteral', line: onceLine },
    original: '{ once: true }',
    replacement: '{}',
    reason: removed,
  },
  {
    ...{ file: transport, mutator: 'BooleanLiteral', line: onceLine },
    original: 'true',
    replacement: 'false',
    reason: removed,
  },
];

import { getHeapSpaceStatistics } from 'node:v8';

// Prints how many bytes of young objects a collection keeps after executions that are all done. With the argument `gateway`
// they are executed as the gateway executes. Node needs `--expose-gc`, and room for all of them between two collections.

if (process.argv[2] === 'gateway') await import('../../src/server/garbage.ts');
const { buildSchema, execute, parse } = await import('graphql');

const schema = buildSchema('type Query { one: One } type One { two: Two } type Two { id: ID }');
const document = parse('query ($has: Boolean!) { one { two { id @include(if: $has) } } }');
const rootValue = { one: { two: { id: '1' } } };

const answers = new Set<string>();
function executeMany(): void {
  for (let at = 0; at < 3_000; at += 1) {
    const variableValues = { has: at % 2 === 0 };
    answers.add(JSON.stringify(execute({ schema, document, rootValue, variableValues })));
  }
}

const { gc } = globalThis as unknown as { gc: (options: { type: 'minor' }) => void };
const collect = () => gc({ type: 'minor' });
const youngBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_used_size ??
  0;

// First whatever the process itself has made, with the table that is to grow old.
executeMany();
collect();
collect();
executeMany();
collect();
process.stdout.write(JSON.stringify({ bytes: youngBytes(), answers: [...answers] }));

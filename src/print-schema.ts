import { readFileSync, writeFileSync } from 'node:fs';
import { printSchema } from 'graphql';
import { schema } from './modules/index.ts';

const file = new URL('../schema.graphql', import.meta.url);
const printed = `# Printed from the code by "npm run schema"; a change by hand is lost.\n\n${printSchema(schema)}\n`;

// `--check` says whether the file is current; without it the file is made so.
if (!process.argv.includes('--check')) writeFileSync(file, printed);
else if (readFileSync(file, 'utf8') !== printed) {
  process.stderr.write('schema.graphql is not current: run "npm run schema" and commit it.\n');
  process.exitCode = 1;
}

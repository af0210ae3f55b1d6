import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Kind, parse, print, printSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { schema } from '../src/app/graph.ts';
import { dist, root } from '../src/cli/bundle.mjs';
import { referencePages } from './reference.ts';
import { pageText, productPages } from './tables.ts';

// The documents of the npm package, which a gateway in development serves too: the pages of docs/, a page per type,
// schema.graphql, and llms.txt with llms-full.txt (llmstxt.org).

const pages: readonly string[] = globSync('docs/*.md', { cwd: root }).sort();
const packageReadme = 'src/package/README.md';

/** The texts that the documents are made from, from the root. */
export const documentSources = ['README.md', packageReadme, ...pages];

/** Sections of llms-full.txt, with the text before the first section as ''. */
const fullText: readonly (readonly [page: string, ...sections: string[]])[] = [
  ['docs/clients.md', 'Requests with fetch', 'Ten everyday operations'],
  ['docs/bulk-changes.md', '', 'Replace a name server wherever it is'],
  ['docs/purchases.md', '', 'States', 'Input', 'Prices'],
  ['docs/sandbox.md', 'Names to transfer'],
  ['docs/events.md', 'Webhooks'],
  ['docs/errors.md', ''],
  ['docs/authentication.md', '', 'Scopes'],
  ['docs/limits.md', '', 'Upstream calls of a request', 'Calls per key'],
];

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const sdl = printSchema(schema);

/** The documents by their paths. */
function documents(): ReadonlyMap<string, string> {
  const made = new Map([...referencePages(schema), ['schema.graphql', `${sdl}\n`]]);
  const paths = new Set([...pages, ...made.keys(), 'README.md', 'LICENSE']);
  const move = (text: string, from: string, to: string) => moveLinks(text, from, to, paths);
  for (const page of pages) made.set(page, move(read(page), page, page));
  made.set('README.md', move(read(packageReadme), packageReadme, 'README.md'));
  made.set('llms.txt', overview());
  return made.set(
    'llms-full.txt',
    everyday((text, page) => move(text, page, 'llms-full.txt')),
  );
}

/** Makes the links of a text work at another path. The label of a link to a file that is not in the package stays as text. */
function moveLinks(text: string, from: string, to: string, paths: ReadonlySet<string>): string {
  return text.replace(
    /\[([^\]\n]*)\]\((?!https?:)([^)\s#]*)(#[^)\s]*)?\)/g,
    (_all, label, path, part = '') => {
      const target = path === '' ? from : posix.join(posix.dirname(from), path);
      if (!paths.has(target)) return label;
      const shown = target === to ? '' : posix.relative(posix.dirname(to), target);
      return `[${label}](${shown}${part})`;
    },
  );
}

/** llms.txt: the pages of the table in README.md, with their titles and summaries. */
function overview(): string {
  const rows = [
    ...read('README.md').matchAll(/^\| (\w[\w ]*) \| (.*\]\(docs\/[\w-]+\.md.*) \|$/gm),
  ];
  const topics = rows.map(([, topic = '', cell = '']) => {
    const links = [...cell.matchAll(/\]\((docs\/[\w-]+\.md)\)/g)];
    const title = topic.replace(/^./, (first) => first.toUpperCase());
    return `## ${title}\n\n${links.map(([, path = '']) => listed(path)).join('\n')}`;
  });
  const missing = pages.filter((page) => !topics.join().includes(`(${page})`));
  if (missing.length > 0) throw new Error(`The table of README.md lacks ${missing}.`);
  return [
    readTitle(),
    `- [Graph](http://127.0.0.1:4000/graphql): Send queries, mutations and subscriptions here, as a POST of JSON.
- [Ten everyday operations](llms-full.txt): Write requests from one text, with purchases, errors, authentication, limits and the schema.
- [Reference](docs/reference.md): Look up a type, with the scopes of each field, a setting, an error code or a fault of the sandbox.
- [SDL](schema.graphql): Generate types and clients from the schema with all descriptions.`,
    ...topics,
    '',
  ].join('\n\n');
}

/** The name of the product, and its summary. */
function readTitle(): string {
  const [title, summary] = read('README.md').split('\n\n');
  return `${title}\n\n> ${summary}`;
}

/** A page with its title and its first paragraph, and the request before its first section where it has one. */
function listed(path: string): string {
  const [introduction = ''] = read(path).split('\n## ');
  const [, title, first] = /^# (.+)\n\n([\w`].+)\n/.exec(introduction) ?? [];
  if (first === undefined) throw new Error(`${path} has no paragraph below its title.`);
  const [request] = /^```graphql\n[\s\S]*?^```/m.exec(introduction) ?? [];
  const line = `- [${title}](${path}): ${first.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`;
  return request === undefined ? line : `${line}\n\n${request}\n`;
}

/** llms-full.txt. */
function everyday(move: (text: string, page: string) => string): string {
  const parts = fullText.flatMap(([page, ...sections]) => {
    const text = move(read(page), page);
    const all = text.split(/^(?=## )/m);
    return sections.map((name) => {
      const part = name === '' ? all[0] : all.find((one) => one.startsWith(`## ${name}\n`));
      if (part === undefined) throw new Error(`${page} has no section "${name}".`);
      return part.trim();
    });
  });
  const codes = pageText(productPages.errors).trim();
  return [readTitle(), ...parts, codes, schemaInShort(parts.join('\n'))].join('\n\n');
}

/** The SDL without descriptions: of the object types only the root types and those of the ten operations. */
function schemaInShort(operations: string): string {
  const shown = new Set(['Query', 'Mutation', 'Subscription']);
  const types = new TypeInfo(schema);
  for (const [, document = ''] of operations.matchAll(/^```graphql\n(\w+ \w+\b[\s\S]*?)^```/gm)) {
    const enter = () => void shown.add(types.getParentType()?.name ?? '');
    visit(parse(document), visitWithTypeInfo(types, { Field: enter }));
  }
  const document = visit(parse(sdl), {
    enter(node) {
      if (node.kind === Kind.OBJECT_TYPE_DEFINITION && !shown.has(node.name.value)) return null;
      const isDescribed = 'description' in node && node.description;
      return isDescribed ? { ...node, description: undefined } : undefined;
    },
  });
  // One line for each enum.
  const text = print(document).replace(/^enum [^}]*/gm, (values) => values.replace(/\s+/g, ' '));
  return `# Schema

These are the root fields, the inputs, the enums and the types of the operations above. [docs/reference.md](docs/reference.md) lists all types, [schema.graphql](schema.graphql) has them in one file.

\`\`\`graphql
${text}
\`\`\`
`;
}

/** Writes the documents into a folder. */
export function writeDocuments(folder: string): void {
  for (const [path, text] of documents()) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

if (import.meta.main) writeDocuments(dist);

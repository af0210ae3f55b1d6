import { posix } from 'node:path';
import { type Files, type Import, importsOfAll } from './modules.ts';

/** For each folder or file the others that it imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** `nodeOf` returns the folder of a file, or the file itself. */
function graphOf(imports: readonly Import[], nodeOf: (path: string) => string): Graph {
  const graph = new Map<string, Set<string>>();
  for (const { from, target } of imports) {
    if (target === null) continue;
    const [node, other] = [nodeOf(from), nodeOf(target)];
    const others = graph.get(node) ?? new Set();
    if (node !== other) graph.set(node, others.add(other));
  }
  return graph;
}

function reachableFrom(graph: Graph, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

type Groups = readonly (readonly string[])[];

/** The groups of nodes that can all reach each other through imports, each in alphabetical order. */
function cyclesIn(graph: Graph): Groups {
  const reach = new Map([...graph.keys()].map((node) => [node, reachableFrom(graph, node)]));
  const groups = [...reach]
    .filter(([node, reached]) => reached.has(node))
    .map(([node, reached]) => [...reached].filter((other) => reach.get(other)?.has(node)).sort());
  return [...new Map(groups.map((group) => [group.join(' '), group])).values()];
}

/** The folder of a file; of a file in `with` that of its feature. */
const folderOf = (path: string) => posix.dirname(path).replace(/\/with$/, '');

/** The folders that import each other. Types count. A sub-folder is a folder of its own. */
export const findFolderCycles = (files: Files): Groups =>
  cyclesIn(graphOf(importsOfAll(files), folderOf));

/** The files that import each other. Types count. */
export const findFileCycles = (files: Files): Groups =>
  cyclesIn(graphOf(importsOfAll(files), (path) => path));

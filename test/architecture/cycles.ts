import { posix } from 'node:path';
import { type Files, importsOfAll } from './modules.ts';

/** For each folder the folders whose values it imports. A sub-folder is a folder of its own. */
type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** Types do not count: `schema` and `modules` share the type of the request context. */
function folderGraph(files: Files): FolderGraph {
  const graph = new Map<string, Set<string>>();
  for (const { from, target, isType } of importsOfAll(files)) {
    if (target === null || isType) continue;
    const [folder, other] = [posix.dirname(from), posix.dirname(target)];
    const others = graph.get(folder) ?? new Set();
    if (folder !== other) graph.set(folder, others.add(other));
  }
  return graph;
}

function reachableFrom(graph: FolderGraph, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of graph.get(folder) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/** The groups of folders that can all reach each other through imports, each in alphabetical order. */
export function findCycles(files: Files): readonly (readonly string[])[] {
  const graph = folderGraph(files);
  const reach = new Map([...graph.keys()].map((folder) => [folder, reachableFrom(graph, folder)]));
  const groups = [...reach]
    .filter(([folder, reached]) => reached.has(folder))
    .map(([folder, reached]) =>
      [...reached].filter((other) => reach.get(other)?.has(folder)).sort(),
    );
  return [...new Map(groups.map((group) => [group.join(' '), group])).values()];
}

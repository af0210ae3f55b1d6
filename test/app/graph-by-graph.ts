import { printSchema } from 'graphql';
import { loadGraph, servedSchema } from '../../src/app/build-graph.ts';
import { features } from '../../src/features/index.ts';

// Prints the SDL of graphs of some features, each a line of JSON. The arguments are lists of names, of which each later one may
// add features to those that are loaded.

for (const names of process.argv.slice(2)) {
  const selected = features.filter(({ name }) => names.split(',').includes(name));
  await loadGraph(selected);
  const graph = servedSchema({ featureValues: {}, introspection: 'caller' }, selected);
  process.stdout.write(`${JSON.stringify(printSchema(graph))}\n`);
}

import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// What a request leaves behind is gone with the next collection of young objects, for which every request waits. To be
// imported before anything that imports `graphql`.

// What survives two collections V8 soon takes for long-lived, and makes the next of its kind where only the slow collection
// looks, with all that hangs on it. Here everything lives as long as a request, or as long as the process.
setFlagsFromString('--no-allocation-site-pretenuring');

// graphql-js remembers the subfields of each execution in a WeakMap that lives as long as the process. What an old WeakMap
// holds is kept by the collection of young objects though its key is gone, so each copied what all executions since the
// last had left. With this each execution holds its own.
createRequire(import.meta.url)('graphql/jsutils/memoize3.js').memoize3 = memoizeByExecution;

const known = Symbol('known');

interface Execution {
  [known]?: Map<object, Map<object, unknown>>;
}

type Find = (execution: Execution, type: object, nodes: object) => unknown;

/** As its namesake in graphql-js: `find` is called once for the same three objects. */
function memoizeByExecution(find: Find): Find {
  return (execution, type, nodes) => {
    execution[known] ??= new Map();
    const ofType = execution[known].get(type);
    const before = ofType?.get(nodes);
    if (before !== undefined) return before;
    const found = find(execution, type, nodes);
    if (ofType) ofType.set(nodes, found);
    else execution[known].set(type, new Map([[nodes, found]]));
    return found;
  };
}

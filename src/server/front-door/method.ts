import { badRequest, type Check } from './arrival.ts';

export interface MethodOptions {
  readonly graphqlPath: string;
  /** Whether a browser gets a page at the path of the graph. */
  readonly hasPage: boolean;
  /** The other paths; each is read. */
  readonly readPaths: ReadonlySet<string>;
}

/** Every path has its methods; a path that nobody serves is refused by that, whatever is asked of it. */
export function createMethodCheck({ graphqlPath, hasPage, readPaths }: MethodOptions): Check {
  const ofGraph = hasPage ? ['GET', 'POST', 'HEAD'] : ['GET', 'POST'];
  return ({ method, path }) => {
    const methods = path === graphqlPath ? ofGraph : readPaths.has(path ?? '') ? reading : null;
    if (methods === null || methods.includes(method)) return null;
    const allow = methods.join(', ');
    return { ...badRequest(405, `This path answers ${allow} only.`), headers: { allow } };
  };
}

const reading = ['GET', 'HEAD'];

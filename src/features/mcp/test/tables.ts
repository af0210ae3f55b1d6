import { code, codes, table } from '../../../../scripts/markdown.ts';
import { type AccessScope, allAccessScopes, anonymous } from '../../../kernel/caller.ts';
import { toolboxOf } from './toolbox.ts';

/** Each tool, with the scopes of which one is enough for it, else with those that it needs together. */
function toolRows(): readonly (readonly string[])[] {
  const toolbox = toolboxOf();
  const isListed = (name: string, scopes: readonly AccessScope[]) =>
    toolbox.list({ ...anonymous, scopes: new Set(scopes) }).some((tool) => tool.name === name);
  const needsOf = (name: string): string => {
    const enough = allAccessScopes.filter((scope) => isListed(name, [scope]));
    if (enough.length === allAccessScopes.length) return 'any scope';
    if (enough.length > 0) return enough.map(code).join(' or ');
    const others = (scope: AccessScope) => allAccessScopes.filter((one) => one !== scope);
    const needed = allAccessScopes.filter((scope) => !isListed(name, others(scope)));
    return needed.map(code).join(' and ');
  };
  return toolbox.list(anonymous).map(({ name, description, inputSchema }) => {
    return [code(name), needsOf(name), codes(Object.keys(inputSchema.properties)), description];
  });
}

/** The pages of docs/reference that `npm run docs` writes. */
export const pages = {
  tools: {
    title: 'Tools for models',
    text: () => table(['tool', 'needs', 'arguments', 'description for models'], toolRows()),
  },
};

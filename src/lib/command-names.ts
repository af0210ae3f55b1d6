export type CommandName = 'start' | 'sandbox' | 'keys' | 'purchases' | 'domains' | 'mcp';

/** Whether the programs are commands of the package, and not npm scripts of a clone. */
let isPackage = false;

/** Called once, before a program is loaded. */
export const usePackageCommands = (): void => {
  isPackage = true;
};

/** The text that starts a command in a shell, for help and messages. */
export function commandFor(name: CommandName, args = ''): string {
  if (isPackage) return `reseller-graph ${name} ${args}`.trim();
  const script = name === 'start' ? 'npm start' : `npm run ${name}`;
  return args === '' ? script : `${script} -- ${args}`;
}

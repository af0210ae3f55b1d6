// Starts a program: node src/cli/run.mjs [--build | --source] main [arguments]. `bundle.mjs` explains the two options.
// Plain JavaScript, because a Node that is too old for the TypeScript sources can only report that here.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if ((major === 24 && minor >= 15) || major >= 26) {
  const [option] = process.argv[2]?.startsWith('--') ? process.argv.splice(2, 1) : [];
  const [program] = process.argv.splice(2, 1);
  const { locate } = await import('./bundle.mjs');
  await import(await locate(program, option));
} else {
  process.stderr.write(
    `reseller-graph: Node ${process.versions.node} cannot run this gateway; it needs Node 24.15 or newer. ` +
      'On Linux "npm start" and "npx node" bring one along; elsewhere install it from https://nodejs.org.\n',
  );
  process.exitCode = 2;
}

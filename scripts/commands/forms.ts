import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { files } from '../../test/docs/commands.ts';
import { root } from '../../test/docs/markdown.ts';
import { freePort } from '../../test/support/free-port.ts';
import { ended, type Place, start } from './shell.ts';

/** A folder in which commands run, with free ports in the place of the documented ones. */
export interface Form extends Place {
  readonly name: 'clone' | 'package';
  readonly ports: Readonly<Record<string, number>>;
}

const fromUser = ['HOME', 'USER', 'LANG', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

/** What a user has in the environment: no settings, and nothing of npm, which has started this program. */
const userEnv: Place['env'] = {
  ...Object.fromEntries(fromUser.map((name) => [name, process.env[name]])),
  PATH: process.env.PATH?.split(':')
    .filter((path) => !path.includes('/node_modules/'))
    .join(':'),
  npm_config_registry: process.env.npm_config_registry,
  npm_config_cache: process.env.npm_config_cache,
  npm_config_prefer_offline: 'true',
};

/** A fresh clone of the last commit. */
export async function makeClone(parent: string): Promise<Form> {
  const form = await makeForm('clone', parent, userEnv);
  const cloning = start(`git clone --quiet ${root} ${form.folder}`, { ...form, folder: parent });
  const code = await ended(cloning, 60_000);
  if (code !== 0) throw new Error(`git clone: ${cloning.output()}`);
  const ours = [...Object.keys(files), '.env'];
  appendFileSync(join(form.folder, '.git/info/exclude'), ours.join('\n'));
  writeFilesIn(form.folder);
  return form;
}

/** An empty folder for the package. A user of the package brings Node along; here it is that of this program. */
export async function makeEmptyFolder(parent: string): Promise<Form> {
  const PATH = `${dirname(process.execPath)}:${userEnv.PATH}`;
  const form = await makeForm('package', parent, { ...userEnv, PATH });
  mkdirSync(form.folder);
  writeFileSync(join(form.folder, 'package.json'), '{ "private": true, "type": "module" }');
  writeFilesIn(form.folder);
  return form;
}

/** The same folder with ports of its own, for commands that run concurrently. */
export async function withOwnPorts(form: Form): Promise<Form> {
  const ports: Record<string, number> = {};
  for (const port of ['3000', '4000', '4001', '4100', '4200', '5173']) {
    ports[port] = await freePort();
  }
  const settings = {
    ...{ PORT: String(ports['4000']), SANDBOX_PORT: String(ports['4001']) },
    STOREFRONT_PORT: String(ports['5173']),
  };
  return { ...form, ports, env: { ...form.env, ...settings } };
}

const makeForm = (name: Form['name'], parent: string, env: Place['env']): Promise<Form> =>
  withOwnPorts({
    ...{ name, folder: join(parent, name), ports: {} },
    // A folder of its own: Node stores compiled code there, and the first start has none.
    env: { ...env, TMPDIR: mkdtempSync(join(parent, 'tmp-')), KEY: 'a-key' },
  });

function writeFilesIn(folder: string): void {
  mkdirSync(join(folder, 'secrets'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

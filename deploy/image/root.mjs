import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

// Creates the file system of the image: Node, its linked libraries and the bundle. No shell and no package manager.
// `node deploy/image/root.mjs <application> <target>`

const [application, target] = process.argv.slice(2);
const nobody = 65532;

const place = (from, to) => {
  mkdirSync(join(target, to, '..'), { recursive: true });
  cpSync(from, join(target, to), { recursive: true, dereference: true });
};

place(process.execPath, '/usr/bin/node');
const linked = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
for (const [library] of linked.matchAll(/\/\S+\.so\S*/g)) place(library, library);

for (const name of ['package.json', 'dist']) {
  place(join(application, name), join('/app', name));
}
for (const folder of ['/data', '/tmp']) {
  mkdirSync(join(target, folder), { recursive: true, mode: 0o700 });
  chownSync(join(target, folder), nobody, nobody);
}

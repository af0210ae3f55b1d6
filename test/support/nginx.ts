import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { newFolder } from './folder.ts';
import { freePort } from './free-port.ts';

const binary = ['nginx', '/usr/sbin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0);

/** Null where tests can start nginx, else the reason to skip them. */
export const whyNoNginx: string | null = binary ? null : 'install nginx';

export interface TestNginx {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts nginx with the `http` block that `http` returns; its one server must listen on `listen`. All files are in a temporary folder. */
export async function startNginx(http: (listen: string) => string): Promise<TestNginx> {
  const folder = await newFolder('reseller-graph-nginx');
  const listen = `127.0.0.1:${await freePort()}`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `pid ${join(folder, 'nginx.pid')};
daemon off;
master_process off;
error_log stderr;
events {}
http {
access_log off;
${temporary.join('\n')}
${http(listen)}
}
`,
  );
  const server = spawn(binary ?? '', ['-p', folder, '-c', file, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  server.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exited = once(server, 'exit');
  const close = async () => {
    server.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true });
  };
  const isRunning = () => server.exitCode === null && server.signalCode === null;
  while (!(await accepts(listen))) {
    if (isRunning()) continue;
    await close();
    throw new Error(`nginx ended: ${errors}`);
  }
  return { url: `http://${listen}`, close };
}

/** Whether the address accepts a connection; after a refusal it waits 10 ms. */
async function accepts(address: string): Promise<boolean> {
  const [host = '', port = ''] = address.split(':');
  const socket = connect(Number(port), host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return false;
  } finally {
    socket.destroy();
  }
}

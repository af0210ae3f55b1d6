import { type ExecFileException, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bareEnvironment } from './process.ts';

const run = promisify(execFile);

/** Exit code and output of a line of bash. The code is that of the last part of a pipe that failed. */
export async function inShell(line: string, options: { readonly cwd?: string } = {}) {
  try {
    const ended = await run('bash', ['-o', 'pipefail', '-c', line], {
      ...options,
      env: { ...bareEnvironment, HOME: process.env.HOME },
    });
    return { code: 0, ...ended };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as ExecFileException;
    return { code: Number(code), stdout, stderr };
  }
}

import { subscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely';
import { siteOfStack } from '../simulation/points.ts';

/*
 * For `node --import`, before a gateway from the sources: ends its process with `kill -9` at the point that the file KILL_FILE names.
 * The points have the names of the simulation; "(2)" after a name is the second time since the file was written.
 */

const file = process.env.KILL_FILE ?? '';
const reached = new Map<string, number>();

function reach(point: string): void {
  if (!existsSync(file)) return;
  const times = (reached.get(point) ?? 0) + 1;
  reached.set(point, times);
  if (readFileSync(file, 'utf8') !== (times === 1 ? point : `${point} (${times})`)) return;
  // The next gateway continues.
  rmSync(file);
  process.kill(process.pid, 'SIGKILL');
}

/** The function of each text of a write. */
const sites = new Map<string, string>();
const { compileQuery, executeQuery } = DefaultQueryExecutor.prototype;
Object.assign(DefaultQueryExecutor.prototype, {
  compileQuery(...query: Parameters<typeof compileQuery>): CompiledQuery {
    const compiled = compileQuery.apply(this, query);
    const { sql } = compiled;
    if (!sql.startsWith('select') && !sites.has(sql)) sites.set(sql, siteOfStack());
    return compiled;
  },
  async executeQuery(...[query, ...rest]: Parameters<typeof executeQuery>) {
    const site = sites.get(query.sql);
    if (site) reach(`before ${site}`);
    const result = await executeQuery.call(this, query, ...rest);
    if (site) reach(`after ${site}`);
    return result;
  },
});

/** A commit of several writes, which are executed and not stored before. */
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  if (sql === 'commit') reach('before commit');
  exec.call(this, sql);
  if (sql === 'commit') reach('after commit');
};

/** `before` and `after` a request is sent, and at its `reply`, which the gateway has not yet seen. */
const sides = { before: 'create', after: 'bodySent', reply: 'trailers' };
for (const [side, event] of Object.entries(sides)) {
  subscribe(`undici:request:${event}`, (message) => {
    const { path } = (message as { readonly request: { readonly path: string } }).request;
    reach(`${side} send ${/action=(\w+)/.exec(path)?.[1] ?? 'webhook'}`);
  });
}

import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./fixtures/', import.meta.url);

const read = (path: string): string => readFileSync(new URL(`${path}.json`, folder), 'utf8');

const namesIn = (path: string): readonly string[] =>
  readdirSync(new URL(path, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));

/** The plain specified success reply of an action, or a quirk such as `quirks/getdetails.no-name`, as text. */
export const replyText = (name: string): string => read(name);

/** What we send for a call, without credentials. */
export const requestOf = (name: string): object => JSON.parse(read(`requests/${name}`));

export const actionsWithReply = namesIn('./');
export const callsWithRequest = namesIn('./requests/');
/** `<action>.<quirk>`. */
export const quirks = namesIn('./quirks/');

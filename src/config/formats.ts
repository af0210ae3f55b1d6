import { z } from 'zod';
import { allAccessScopes, isAccessScope } from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import { canonicalHost } from '../lib/addresses.ts';
import { parseJson, secondMember } from '../lib/json.ts';

// The text formats of settings. The message of each completes "<NAME> must be …".

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine((value) => value >= from && value <= to, `a whole number from ${from} to ${to}`);

/** A part of a whole. */
export const fraction = z
  .string()
  .regex(/^(?:0?\.\d{1,15}|[01](?:\.0{1,15})?)$/, 'a number from 0 to 1')
  .transform(Number);

export const port = wholeNumber(0, 65_535);

/** A number and its default. */
export const number = (from: number, to: number, unset: number) => ({
  default: String(unset),
  schema: wholeNumber(from, to).default(unset),
});

/** Seconds, read as milliseconds, and their default. */
export const seconds = (from: number, to: number, unset: number) => ({
  default: String(unset),
  schema: wholeNumber(from, to)
    .default(unset)
    .transform((value) => value * 1000),
});

/** Seconds, read as milliseconds, without a default. */
export const optionalSeconds = (from: number, to: number) =>
  wholeNumber(from, to)
    .transform((value) => value * 1000)
    .optional();

export const oneOf = <const Name extends string>(names: readonly Name[]) =>
  z.enum(names, `one of ${names.join(', ')}`);

/** One of several names, and the default one. */
export const choice = <const Name extends string>(
  names: readonly Name[],
  unset: NoInfer<Name>,
) => ({
  default: unset as string,
  schema: z.enum(names, `one of ${names.join(', ')}`).default(unset),
});

export const flag = oneOf(['true', 'false']).transform((text) => text === 'true');

/** The text itself, and its default. */
export const text = (unset: string, schema: z.ZodString = z.string()) => ({
  default: unset,
  schema: schema.default(unset),
});

/** The path of a file that backups copy. */
export const file = { schema: z.string().optional(), namesFile: () => true };

export const hostName = z
  .string()
  .regex(/^[A-Za-z0-9:][A-Za-z0-9.:_-]*$/, 'a host name or an IP address');

/** The end of a message; a function for one that features extend after this module is loaded. */
type Rule = string | (() => string);

const textOf = (rule: Rule): string => (typeof rule === 'string' ? rule : rule());

const list = <Item>(rule: Rule, read: (text: string) => Item | null) =>
  z.string().transform((text, context): readonly Item[] => {
    const items = text.split(',').map((one) => read(one.trim()));
    const valid = items.filter((one) => one !== null);
    if (valid.length < items.length) context.addIssue(textOf(rule));
    return valid;
  });

export const hostNames = list(
  'host names separated by commas, without ports, such as "graph.example,10.0.0.7"',
  (text) => (/^(?:\[[\w.:]+\]|[\w.:-]+)$/.test(text) ? canonicalHost(text) : null),
);

/** `name=value` with a percent-encoded value. */
function pairOf(text: string): readonly [name: string, value: string] | null {
  const [, name, value = ''] = /^([!#$%&'*+.^`|~\w-]+)\s*=\s*(\S.*)$/.exec(text) ?? [];
  try {
    return name === undefined ? null : [name, decodeURIComponent(value)];
  } catch {
    return null;
  }
}

export const pairs = list(
  'pairs such as "name=value" separated by commas, with percent-encoded values',
  pairOf,
);

const headersRule =
  'headers such as "name=value" separated by commas, with percent-encoded values of visible characters';

/** HTTP headers by name. Their values can be credentials. */
export const headers = list(headersRule, (text) => {
  const pair = pairOf(text);
  return pair && /^[\x20-\x7e]+$/.test(pair[1]) ? pair : null;
}).transform((all) => Object.fromEntries(all.map(([name, value]) => [name, new Secret(value)])));

/** The URL of a text; null for a text that is no URL of these protocols. */
function urlOf(text: string, ...protocols: readonly string[]): URL | null {
  const url = URL.parse(text);
  return url && protocols.includes(url.protocol) ? url : null;
}

/** Whole numbers, separated by commas, and their default. */
export const numbers = (from: number, to: number, unset: readonly number[]) => ({
  default: String(unset),
  schema: list(`whole numbers from ${from} to ${to}, separated by commas`, (text) => {
    const { data } = wholeNumber(from, to).safeParse(text);
    return data ?? null;
  }).default(unset),
});

export const origins = list(
  'origins separated by commas, such as "https://shop.example"',
  (text) => (urlOf(text, 'http:', 'https:')?.origin === text ? text : null),
);

export const httpUrl = z.string().refine((text) => {
  const url = urlOf(text, 'http:', 'https:');
  return url !== null && `${url.username}${url.password}` === '' && !/[?#]/.test(text);
}, 'an http or https URL without credentials, query or fragment');

const asSecret = (text: string) => new Secret(text);

export const databaseUrl = z
  .string()
  .refine(
    (text) => urlOf(text, 'postgres:', 'postgresql:') !== null,
    'a URL such as postgres://user:password@host:5432/database',
  )
  .transform(asSecret);

export const keyText = z
  .string()
  .regex(/^[\x21-\x7e]{16,512}$/, '16 to 512 visible ASCII characters without spaces');

export const secretKey = keyText.transform(asSecret);

/** A key of 32 bytes, as base64. */
export const encryptionKey = z
  .string()
  .regex(
    /^(?:[0-9a-f]{64}|[A-Za-z0-9+/]{43}=?)$/i,
    '32 bytes in base64 or hexadecimal, such as the output of "openssl rand -base64 32"',
  )
  .transform((text) =>
    asSecret(text.length === 64 ? Buffer.from(text, 'hex').toString('base64') : text),
  );

export const scopes = list(
  () => `scopes separated by commas; the scopes are ${allAccessScopes.join(', ')}`,
  (text) => (isAccessScope(text) ? text : null),
);

export const areDifferent = (texts: readonly string[]): boolean =>
  new Set(texts).size === texts.length;

/**
 * JSON text of a shape. The message for an invalid one is `<what>, where <rule>`, which completes "<NAME> must be …".
 *
 * The text can contain secrets, so the message has only names of members.
 */
export const json = <Value>(what: string, shape: z.ZodType<Value>) =>
  z.string().transform((text, context): Value => {
    const value = parseJson(text);
    const second = value === undefined ? null : secondMember(text);
    if (second !== null) {
      context.addIssue(`${what}, without ${second}`);
      return z.NEVER;
    }
    const read = shape.safeParse(value);
    if (read.success) return read.data;
    context.addIssue(`${what}, where ${ruleOf(read.error)}`);
    return z.NEVER;
  });

/** A schema with one message for everything that can be wrong in it; it completes "<member> is …". */
export const ruled = <Value>(rule: Rule, schema: z.ZodType<Value>) =>
  z.unknown().transform((value, context): Value => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    context.addIssue(textOf(rule));
    return z.NEVER;
  });

/** Where the first issue is, and the rule that its message has. */
export const ruleOf = ({ issues: [issue] }: z.ZodError): string => ruleOfIssue(issue);

/** As `ruleOf`, of each issue; `above` is where the value is. */
export const rulesOf = ({ issues }: z.ZodError, above: readonly PropertyKey[] = []) =>
  issues.map((issue) => ruleOfIssue({ ...issue, path: [...above, ...issue.path] }));

/** A name with other characters could be a secret. */
const isPlainName = (name: string) => /^[A-Za-z]{1,24}$/.test(name);

const unknownMember = (issue: z.core.$ZodIssue | undefined): string => {
  const names = issue?.code === 'unrecognized_keys' ? issue.keys.filter(isPlainName) : [];
  return names.map((name) => `, not "${name}"`).join('');
};

function ruleOfIssue(issue: z.core.$ZodIssue | undefined): string {
  // The invalid name of a record could be a secret.
  if (issue?.code === 'invalid_key') return `each name is ${issue.issues[0]?.message}`;
  const place = issue?.path.map((part) =>
    typeof part === 'number' ? `[${part}]` : `"${String(part)}"`,
  );
  return `${place?.join('.') || 'it'} is ${issue?.message}${unknownMember(issue)}`;
}

import { z } from 'zod';
import type { AuthConfig } from '../../config/config.ts';
import { ruled, rulesOf } from '../../config/formats.ts';
import { parseKeys } from '../../config/keys-file.ts';
import {
  amountOf,
  duration,
  invalidRuleFile,
  readRuleText,
  ruleJson,
} from '../../config/rule-file.ts';
import { allAccessScopes, isAccessScope, tokenCallerName } from '../../kernel/caller.ts';
import { dayMs } from '../../kernel/instant.ts';
import { maxBulkChangeDomains, maxOrderLines } from '../../kernel/job-sizes.ts';
import { quoted } from '../../lib/text.ts';
import {
  type ApprovalRule,
  type ApprovalRules,
  approvalOperations,
  costOperations,
  createApprovalRules,
  isImplied,
} from './rules.ts';

/** The content of APPROVALS_FILE. */
export interface ApprovalFile {
  readonly rules: readonly ApprovalRule[];
  readonly samePerson: readonly (readonly string[])[];
}

const maxRules = 1_000;
const maxExpiryMs = 90 * dayMs;
const nameRule = 'the name of a key, or "issuer:subject" for tokens';
/** Longer than any name of a key, a colon and the subject of a token. */
const maxName = 300;

/** The name of a caller. A subject is written as the token has it, or as the hash that the name of its caller has. */
const name = ruled(
  nameRule,
  z
    .string()
    .max(maxName)
    .regex(/^[^:]+(?::.+)?$/s)
    .transform((text) => {
      const [, issuer, subject] = /^([^:]+):(.+)$/s.exec(text) ?? [];
      if (issuer === undefined || subject === undefined) return text;
      return /^~[0-9a-f]{32}$/.test(subject) ? text : tokenCallerName(issuer, subject);
    }),
);

const conditions = z.strictObject(
  {
    costAbove: amountOf('a decimal number of at least 0', (value) => !value.isNegative).optional(),
    premium: z.boolean('true or false').optional(),
    countAbove: ruled(
      `a whole number from 1 to ${maxBulkChangeDomains - 1}`,
      z.int().min(1).lt(maxBulkChangeDomains),
    ).optional(),
    keys: z.array(name, 'a list of names').min(1, 'a list with at least one name').optional(),
    scopes: z
      .array(
        ruled(() => `one of ${allAccessScopes.join(', ')}`, z.string().refine(isAccessScope)),
        'a list of scopes',
      )
      .min(1, 'a list with at least one scope')
      .optional(),
    mcp: z.boolean('true or false').optional(),
  },
  'an object with only "costAbove", "premium", "countAbove", "keys", "scopes" and "mcp"',
);

const withCosts: ReadonlySet<string> = new Set(costOperations);
/** Of several domains. A tool for models makes only these. */
const withCounts: ReadonlySet<string> = new Set([...costOperations, 'BULK_CHANGE']);

const rule = z
  .strictObject(
    {
      operations: z
        .array(
          z.enum(approvalOperations, `one of ${approvalOperations.join(', ')}`),
          'a list of operations',
        )
        .min(1, 'a list with at least one operation'),
      when: conditions.default({}),
      expiresAfter: duration.refine((ms) => ms <= maxExpiryMs, 'at most 90 days').default(dayMs),
    },
    'an object with "operations", perhaps "when" and "expiresAfter", and nothing else',
  )
  .refine(
    ({ operations, when }) =>
      (when.costAbove === undefined && when.premium === undefined) ||
      operations.every((one) => withCosts.has(one)),
    `a rule with "costAbove" or "premium", so its operations can only be ${costOperations.join(' and ')}`,
  )
  .refine(
    ({ operations, when }) =>
      when.countAbove === undefined || operations.every((one) => withCounts.has(one)),
    'a rule with "countAbove", so its operations cannot be UNLOCK or AUTH_CODE, which are of one domain',
  )
  .refine(
    ({ operations, when: { countAbove = 0 } }) =>
      countAbove < maxOrderLines || operations.includes('BULK_CHANGE'),
    `a rule with a "countAbove" of ${maxOrderLines} or more, so its operations must have BULK_CHANGE: an order has at most ${maxOrderLines} lines`,
  )
  .refine(
    ({ operations, when }) => when.mcp !== true || operations.some((one) => withCounts.has(one)),
    'a rule for tools for models, none of which removes a lock or reads an auth code',
  );

const person = z.array(name, nameRule).min(2, 'a list of at least two names');

const file = z.strictObject(
  {
    // Its members are read on their own, so that all faults are reported.
    rules: z
      .array(z.unknown(), 'a list of rules')
      .min(1, 'a list with at least one rule')
      .max(maxRules, `at most ${maxRules} rules`),
    samePerson: z.array(z.unknown(), 'a list of lists').default([]),
  },
  'one object with "rules", perhaps "samePerson", and nothing else',
);

const what = 'approval file';

export const readApprovalsText = (path: string): string => readRuleText(what, path);

/** Reads the content of the file. `isCaller` is whether a caller of this name can exist. @throws RuleFileError with all faults */
export function parseApprovals(text: string, isCaller: (name: string) => boolean): ApprovalFile {
  const json = ruleJson(what, text);
  const read = file.safeParse(json);
  const faults = read.success ? [] : rulesOf(read.error);
  const { rules: givenRules, samePerson: givenPersons } = Object(json);
  const member = <T>(schema: z.ZodType<T>, one: unknown, path: readonly [string, number]): T[] => {
    const result = schema.safeParse(one);
    if (result.success) return [result.data];
    faults.push(...rulesOf(result.error, path));
    return [];
  };
  const rules = listed(givenRules).flatMap((one, at) =>
    member(rule, one, ['rules', at]).map(
      ({ expiresAfter: expiresAfterMs, ...members }): ApprovalRule => ({
        ...{ position: at + 1, ...members, expiresAfterMs },
      }),
    ),
  );
  const samePerson = listed(givenPersons).flatMap((one, at) => {
    const [names = []] = member(person, one, ['samePerson', at]);
    return [names];
  });
  const all = { rules, samePerson };
  faults.push(...rules.flatMap(unreachable), ...unknownCallers(all, isCaller));
  if (faults.length > 0) throw invalidRuleFile(what, faults);
  return all;
}

/** The members of a list, also of one that is too long. */
const listed = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, maxRules) : [];

export const rulesIn = ({ rules, samePerson }: ApprovalFile): ApprovalRules =>
  createApprovalRules(rules, samePerson);

/** A sentence when earlier rules match all requests that a rule matches. */
function unreachable(
  { position, operations, when }: ApprovalRule,
  at: number,
  rules: readonly ApprovalRule[],
): readonly string[] {
  const before = operations.map((operation) =>
    rules
      .slice(0, at)
      .find((one) => one.operations.includes(operation) && isImplied(one.when, when)),
  );
  const names = [...new Set(before.map((one) => `rule ${one?.position}`))];
  return before.includes(undefined)
    ? []
    : [
        `rule ${position} never matches, because ${names.join(' and ')} ${names.length > 1 ? 'match' : 'matches'} the same requests before it`,
      ];
}

/** A sentence for each name that no caller has. */
export function unknownCallers(
  { rules, samePerson }: ApprovalFile,
  isCaller: (name: string) => boolean,
): readonly string[] {
  const unknown = (place: string, names: readonly string[] = []) =>
    names.flatMap((one) =>
      isCaller(one) ? [] : [`${place} has ${quoted(one)}, which is the name of no key or issuer`],
    );
  return [
    ...rules.flatMap((one) => unknown(`"keys" of rule ${one.position}`, one.when.keys)),
    ...samePerson.flatMap((names, at) => unknown(`"samePerson".[${at}]`, names)),
  ];
}

/** The name of the caller of a program for tools that has no key. */
const toolCaller = 'mcp';

/** Whether a name is that of a key, or can be that of a token. `keysText` is the text of KEYS_FILE. @throws KeysFileError */
export function callersIn(auth: AuthConfig, keysText: string | null): (name: string) => boolean {
  if (auth.kind === 'open') return () => true;
  const keys = [...auth.keys, ...parseKeys(keysText)].map((one) => one.name);
  const names = new Set([...keys, toolCaller]);
  return (text) => names.has(text) || auth.issuers.some((one) => text.startsWith(`${one.name}:`));
}

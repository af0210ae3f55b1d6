import { settings } from '../src/config/settings.ts';
import { accessScopes } from '../src/kernel/caller.ts';
import { faults } from '../src/kernel/faults.ts';
import { logins } from '../src/sandbox/seed.ts';
import { documentLimits, jsonLimits } from '../src/server/limits/limits.ts';
import { doors } from '../test/architecture/doors.ts';
import type { FieldCost } from './costs/field-cost.ts';
import { mutationCosts } from './costs/mutation.ts';
import { nestedCosts } from './costs/nested.ts';
import { queryCosts } from './costs/query.ts';
import { subscriptionCosts } from './costs/subscription.ts';
import { adminNotes, demoDomains, namedFaults } from './sandbox-notes.ts';

type Row = readonly string[];

const line = (cells: Row) => `| ${cells.join(' | ')} |`;
const code = (text: string) => `\`${text}\``;
const codes = (texts: readonly string[]) => texts.map(code).join(', ') || '–';

const table = (heads: Row, rows: readonly Row[]): string =>
  [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');

const costRows = (costs: readonly FieldCost[], shown: (field: string) => string): readonly Row[] =>
  costs.map(({ field, calls }) => [code(shown(field)), calls]);
const leaf = (field: string) => field.replace(/^.*\./, '');

/** A default that is a value stands as code; one that is a sentence has its own. */
const shownDefault = (text: string) => (/[ `]/.test(text) || text === 'none' ? text : code(text));

const availabilityCell = ([state, errorCode]: readonly [string, string | null, number]) =>
  errorCode ? `${code(state)}, ${code(errorCode)}` : code(state);

const limitCell = ({ most, what }: { readonly most: number; readonly what: string }) =>
  `${most.toLocaleString('en')} ${what}`;

/** Every table of the documentation that is made from code, by the name that its marker has in the Markdown. */
export const tables: Readonly<Record<string, () => string>> = {
  calls: () =>
    table(
      ['query, mutation or subscription', 'upstream calls'],
      [
        ...costRows(queryCosts, leaf),
        ...costRows(mutationCosts, leaf),
        ...costRows(subscriptionCosts, leaf),
        ...costRows(nestedCosts, (field) => field),
      ],
    ),
  settings: () =>
    table(
      ['setting', 'default', 'what it is'],
      settings.map(({ name, default: shown, description, secret }) => [
        code(name),
        shownDefault(shown),
        secret ? `${description} Secret, so also as ${code(`${name}_FILE`)}.` : description,
      ]),
    ),
  limits: () =>
    table(
      ['of', 'at most'],
      [
        ...Object.values(documentLimits).map((one) => ['a document', limitCell(one)]),
        ...Object.values(jsonLimits).map((one) => ['the JSON of a request', limitCell(one)]),
      ],
    ),
  errors: () =>
    table(
      ['code', 'sentence', 'retryable', 'executed', '`extensions.code` at the top level'],
      Object.entries(faults).map(([name, { message, retryable, executed, topLevel }]) => [
        code(name),
        message,
        retryable ? 'yes' : 'no',
        executed,
        code(topLevel),
      ]),
    ),
  scopes: () =>
    table(
      ['scope', 'what it allows'],
      Object.entries(accessScopes).map(([name, allows]) => [code(name), allows]),
    ),
  doors: () =>
    table(
      ['room', 'may call', 'may also name in types'],
      Object.entries(doors).map(([room, { calls, names }]) => [
        code(room),
        codes(calls),
        codes(names),
      ]),
    ),
  logins: () =>
    table(
      ['user name', 'password', 'Account API token', 'balances'],
      logins.map(({ username, token, usd, tl }) => [
        code(username),
        code(`${username}-password`),
        code(token),
        `${usd} USD, ${tl} TRY`,
      ]),
    ),
  domains: () =>
    table(
      ['name', '`state`', 'what it shows'],
      demoDomains.map(([name, state, shows]) => [code(name), code(state), shows]),
    ),
  faults: () =>
    table(
      ['name begins with', 'the service …', '`availability` says', 'attempts'],
      namedFaults.map(({ fault, service, availability }) => [
        code(`${fault}-`),
        service,
        availabilityCell(availability),
        String(availability[2]),
      ]),
    ),
  admin: () =>
    table(
      ['call', 'what it does'],
      Object.entries(adminNotes).map(([call, does]) => [code(call), does]),
    ),
};

import { logins } from '../sandbox/service/seed.ts';
import { settings } from '../src/app/read-config.ts';
import { faults } from '../src/kernel/faults.ts';
import { documentLimits, jsonLimits } from '../src/server/graphql/check-document.ts';
import { code, table } from './markdown.ts';
import {
  adminNotes,
  demoDomains,
  namedFaults,
  oddReplyNotes,
  stateNotes,
} from './sandbox-notes.ts';

// Importing these makes the features known, whose codes and scopes the tables have.
import '../src/app/graph.ts';

/** A value is shown as code, a sentence as it is. */
const shownDefault = (text: string) => (/[ `]/.test(text) || text === 'none' ? text : code(text));

const availabilityCell = ([state, errorCode]: readonly [string, string | null, number]) =>
  errorCode ? `${code(state)}, ${code(errorCode)}` : code(state);

const limitCell = ({ most, what }: { readonly most: number; readonly what: string }) =>
  `${most.toLocaleString('en')} ${what}`;

/** Makes a page of sections from tables by their headings. */
const sections = (tables: Readonly<Record<string, string>>): string =>
  Object.entries(tables)
    .map(([heading, text]) => `## ${heading}\n\n${text}`)
    .join('\n\n');

/** A page of docs/reference: a title and tables. */
export interface TablePage {
  readonly title: string;
  readonly text: () => string;
}

/** The pages that the npm package has too, by name. */
export const productPages = {
  settings: {
    title: 'All settings',
    text: () =>
      table(
        ['setting', 'default', 'meaning'],
        settings.map(({ name, default: shown, description, secret }) => [
          code(name),
          shownDefault(shown),
          secret ? `${description} Secret, so also as ${code(`${name}_FILE`)}.` : description,
        ]),
      ),
  },
  errors: {
    title: 'All error codes',
    text: () =>
      table(
        ['code', 'category', 'sentence', 'retryable', 'executed', 'type in a payload'],
        Object.entries(faults).map(([name, { category, message, retryable, executed, type }]) => [
          code(name),
          code(category),
          message,
          retryable ? 'yes' : 'no',
          executed,
          code(type),
        ]),
      ),
  },
  limits: {
    title: 'Limits of documents and JSON',
    text: () =>
      table(
        ['part', 'limit'],
        [
          ...Object.values(documentLimits).map((one) => ['document', limitCell(one)]),
          ...Object.values(jsonLimits).map((one) => ['JSON of a request', limitCell(one)]),
        ],
      ),
  },
  sandbox: {
    title: 'Data, faults and admin calls of the sandbox',
    text: () =>
      sections({
        Logins: table(
          ['user name', 'password', 'Account API token', 'balances'],
          logins.map(({ username, token, usd, tl }) => [
            code(username),
            code(`${username}-password`),
            code(token),
            `${usd} USD, ${tl} TRY`,
          ]),
        ),
        'Domains of demo': table(
          ['name', '`state`', 'property'],
          demoDomains.map(([name, state, shows]) => [code(name), code(state), shows]),
        ),
        'States of new domains': table(
          ['name begins with', '`state`', 'property'],
          Object.entries(stateNotes)
            .filter(([name]) => name !== 'active')
            .map(([name, [state, shows]]) => [code(`${name}-`), code(state), shows]),
        ),
        'Faults by name': table(
          ['name begins with', 'the sandbox …', '`availability` returns', 'attempts'],
          namedFaults.map(({ fault, service, availability }) => [
            code(`${fault}-`),
            service,
            availabilityCell(availability),
            String(availability[2]),
          ]),
        ),
        'Replies of the Account API': table(
          ['token ends with', 'reply'],
          Object.entries(oddReplyNotes).map(([name, reply]) => [code(`.${name}`), reply]),
        ),
        'Admin calls': table(
          ['call', 'effect'],
          Object.entries(adminNotes).map(([call, does]) => [code(call), does]),
        ),
      }),
  },
} satisfies Readonly<Record<string, TablePage>>;

export const pageText = ({ title, text }: TablePage): string => `# ${title}\n\n${text()}\n`;

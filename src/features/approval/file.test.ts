import { expect, test } from 'vitest';
import { RuleFileError } from '../../config/rule-file.ts';
import { tokenCallerName } from '../../kernel/caller.ts';
import { dayMs } from '../../kernel/instant.ts';
import { callersIn, parseApprovals, readApprovalsText, rulesIn, unknownCallers } from './file.ts';

const isCaller = (name: string) =>
  ['shop', 'staff', 'boss'].includes(name) || name.startsWith('login:');
const parse = (file: unknown) =>
  parseApprovals(typeof file === 'string' ? file : JSON.stringify(file), isCaller);

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (!(error instanceof RuleFileError)) throw error;
    const [, faults = error.message] =
      /^The approval file must be corrected: (.+)\.$/.exec(error.message) ?? [];
    return faults === error.message ? [faults] : faults.split('; ');
  }
  return [];
}

const rule = (members: object = {}) => ({ operations: ['REGISTRATION'], ...members });
const fileOf = (members: object) => ({ rules: [rule(members)] });
const when = (conditions: object, operations = ['REGISTRATION']) =>
  fileOf({ when: conditions, operations });
const usd = (amount: unknown) => ({ costAbove: { amount, currency: 'USD' } });

test('a whole file is read', () => {
  const read = parse({
    rules: [
      {
        operations: ['REGISTRATION', 'TRANSFER'],
        when: {
          costAbove: { amount: '49.9', currency: 'usd' },
          premium: true,
          countAbove: 5,
          keys: ['shop'],
          scopes: ['domains:spend'],
          mcp: true,
        },
        expiresAfter: '36h',
      },
      { operations: ['UNLOCK', 'AUTH_CODE', 'BULK_CHANGE'] },
    ],
    samePerson: [['shop', 'staff']],
  });

  expect(JSON.parse(JSON.stringify(read))).toEqual({
    rules: [
      {
        position: 1,
        operations: ['REGISTRATION', 'TRANSFER'],
        when: {
          costAbove: { amount: '49.9000', currency: 'USD' },
          premium: true,
          countAbove: 5,
          keys: ['shop'],
          scopes: ['domains:spend'],
          mcp: true,
        },
        expiresAfterMs: 1.5 * dayMs,
      },
      {
        position: 2,
        operations: ['UNLOCK', 'AUTH_CODE', 'BULK_CHANGE'],
        when: {},
        expiresAfterMs: dayMs,
      },
    ],
    samePerson: [['shop', 'staff']],
  });
});

const notMoney = '"rules".[0]."when"."costAbove"."amount" is a decimal number of at least 0';
const notDuration =
  '"rules".[0]."expiresAfter" is a number of minutes, hours or days, such as "7d"';
const notCount = '"rules".[0]."when"."countAbove" is a whole number from 1 to 1999';
const withCost =
  '"rules".[0] is a rule with "costAbove" or "premium", so its operations can only be REGISTRATION and TRANSFER';
const withCount =
  '"rules".[0] is a rule with "countAbove", so its operations cannot be UNLOCK or AUTH_CODE, which are of one domain';
const ofOrders =
  '"rules".[0] is a rule with a "countAbove" of 500 or more, so its operations must have BULK_CHANGE: an order has at most 500 lines';
const withTools =
  '"rules".[0] is a rule for tools for models, none of which removes a lock or reads an auth code';
const notFile = 'it is one object with "rules", perhaps "samePerson", and nothing else';

test.each<[unknown, readonly string[]]>([
  [fileOf({}), []],
  [when(usd('0')), []],
  [when(usd(12.5)), []],
  [fileOf({ expiresAfter: '90d' }), []],
  [{ rules: [rule()], samePerson: [] }, []],
  ['{"rules": [', ['The approval file is no JSON; correct its syntax.']],
  [[], [notFile]],
  [{ rules: [rule()], samePersons: [] }, [`${notFile}, not "samePersons"`]],
  [{}, ['"rules" is a list of rules']],
  [{ rules: [] }, ['"rules" is a list with at least one rule']],
  [
    { rules: [null] },
    [
      '"rules".[0] is an object with "operations", perhaps "when" and "expiresAfter", and nothing else',
    ],
  ],
  [
    fileOf({ cost: 1 }),
    [
      '"rules".[0] is an object with "operations", perhaps "when" and "expiresAfter", and nothing else, not "cost"',
    ],
  ],
  [fileOf({ operations: [] }), ['"rules".[0]."operations" is a list with at least one operation']],
  [fileOf({ operations: 'UNLOCK' }), ['"rules".[0]."operations" is a list of operations']],
  [
    fileOf({ operations: ['RENEWAL'] }),
    [
      '"rules".[0]."operations".[0] is one of REGISTRATION, TRANSFER, UNLOCK, AUTH_CODE, BULK_CHANGE',
    ],
  ],
  [
    when({ price: 1 }),
    [
      '"rules".[0]."when" is an object with only "costAbove", "premium", "countAbove", "keys", "scopes" and "mcp", not "price"',
    ],
  ],
  [when(usd('-1')), [notMoney]],
  [when(usd('much')), [notMoney]],
  [
    when({ costAbove: '50 USD' }),
    ['"rules".[0]."when"."costAbove" is an object with "amount" and "currency"'],
  ],
  [when({ countAbove: 0 }), [notCount]],
  [when({ countAbove: 1.5 }), [notCount]],
  [when({ premium: 'yes' }), ['"rules".[0]."when"."premium" is true or false']],
  [when({ mcp: 1 }), ['"rules".[0]."when"."mcp" is true or false']],
  [when({ keys: [] }), ['"rules".[0]."when"."keys" is a list with at least one name']],
  [when({ scopes: [] }), ['"rules".[0]."when"."scopes" is a list with at least one scope']],
  [fileOf({ expiresAfter: '24' }), [notDuration]],
  [fileOf({ expiresAfter: 24 }), [notDuration]],
  [fileOf({ expiresAfter: '0h' }), [notDuration]],
  [fileOf({ expiresAfter: '91d' }), ['"rules".[0]."expiresAfter" is at most 90 days']],
  // An operation without a cost, or of one domain, would never match.
  [when(usd('1'), ['REGISTRATION', 'UNLOCK']), [withCost]],
  [when({ premium: false }, ['BULK_CHANGE']), [withCost]],
  [when({ countAbove: 3 }, ['BULK_CHANGE', 'AUTH_CODE']), [withCount]],
  [when({ countAbove: 1999 }, ['BULK_CHANGE', 'TRANSFER']), []],
  [when({ countAbove: 2000 }, ['BULK_CHANGE']), [notCount]],
  [when({ countAbove: 499 }), []],
  [when({ countAbove: 500 }), [ofOrders]],
  [when({ mcp: true }, ['UNLOCK', 'AUTH_CODE', 'TRANSFER']), []],
  [when({ mcp: false }, ['UNLOCK']), []],
  [when({ mcp: true }, ['UNLOCK', 'AUTH_CODE']), [withTools]],
  [
    { rules: [rule()], samePerson: [['shop']] },
    ['"samePerson".[0] is a list of at least two names'],
  ],
])('the file %j has the faults %j', (file, expected) => {
  expect(faultsOf(() => parse(file))).toEqual(expected);
});

test('all faults of a file are reported at once', () => {
  const scopesFault = faultsOf(() => parse(when({ scopes: ['domains:buy'] })));
  expect(scopesFault).toEqual([
    expect.stringMatching(/^"rules"\.\[0\]\."when"\."scopes"\.\[0\] is one of domains:check, /),
  ]);

  const faults = faultsOf(() =>
    parse({
      rules: [
        rule({ operations: ['RENEWAL', 'BUY'], expiresAfter: 'soon' }),
        rule({ when: { keys: ['shop', 'shpo'], ...usd('5') } }),
        rule({ when: { keys: ['shop', 'shpo'], ...usd('6') } }),
        rule({ operations: ['UNLOCK'], when: { scopes: ['unlock'] } }),
      ],
      samePerson: [['shop'], ['boss', 'bss']],
      people: [],
    }),
  );

  expect(faults).toEqual([
    `${notFile}, not "people"`,
    expect.stringMatching(/^"rules"\.\[0\]\."operations"\.\[0\] is one of /),
    expect.stringMatching(/^"rules"\.\[0\]\."operations"\.\[1\] is one of /),
    expect.stringMatching(/^"rules"\.\[0\]\."expiresAfter" is /),
    expect.stringMatching(/^"rules"\.\[3\]\."when"\."scopes"\.\[0\] is one of /),
    '"samePerson".[0] is a list of at least two names',
    'rule 3 never matches, because rule 2 matches the same requests before it',
    '"keys" of rule 2 has "shpo", which is the name of no key or issuer',
    '"keys" of rule 3 has "shpo", which is the name of no key or issuer',
    '"samePerson".[1] has "bss", which is the name of no key or issuer',
  ]);
});

test.each<[readonly object[], readonly string[]]>([
  // A rule without conditions at the end is for what the others leave.
  [[rule({ when: { premium: true } }), rule()], []],
  [[rule(), rule({ operations: ['REGISTRATION', 'TRANSFER'] })], []],
  [
    [rule(), rule({ when: { premium: true } })],
    ['rule 2 never matches, because rule 1 matches the same requests before it'],
  ],
  [
    [
      rule(),
      { operations: ['TRANSFER'], when: { mcp: true } },
      { operations: ['REGISTRATION', 'TRANSFER'], when: { mcp: true, keys: ['shop'] } },
    ],
    ['rule 3 never matches, because rule 1 and rule 2 match the same requests before it'],
  ],
])('the rules %j: %j', (rules, expected) => {
  expect(faultsOf(() => parse({ rules }))).toEqual(expected);
});

test('a name is that of a key or begins with that of an issuer', () => {
  const auth = {
    kind: 'keys',
    keysFile: '',
    keys: [{ name: 'shop' }],
    issuers: [{ name: 'login' }],
  };
  const isKnown = callersIn(auth as unknown as Parameters<typeof callersIn>[0], null);

  expect(['shop', 'login:ben', 'login', 'other:ben', 'shopper', 'mcp'].filter(isKnown)).toEqual([
    'shop',
    'login:ben',
    'mcp',
  ]);
  // With open access no caller has a name, and the settings warn of it.
  expect(
    unknownCallers(parse(when({ keys: ['shop'] })), callersIn({ kind: 'open' }, null)),
  ).toEqual([]);
});

test('names of tokens are those of their callers', () => {
  const subject = 'ada+shop@example.com';
  const name = tokenCallerName('login', subject);
  const { matching, isSamePerson } = rulesIn(
    parse({
      rules: [rule({ when: { keys: [`login:${subject}`] } })],
      // The audit log and the page of approvals show the name of a caller.
      samePerson: [
        ['shop', `login:${subject}`],
        ['boss', name],
      ],
    }),
  );

  expect(name).not.toContain('+');
  expect(isSamePerson('shop', name)).toBe(true);
  expect(isSamePerson('shop', 'boss')).toBe(true);
  const caller = { name, scopes: new Set<never>() };
  const purchase = { ...({ operation: 'REGISTRATION', viaTool: false, cost: null } as const) };
  expect(matching({ ...purchase, premium: false, count: 1, caller })?.position).toBe(1);
});

test.each(['login:', ':ada', ''])('the name %j is that of no caller', (name) => {
  expect(faultsOf(() => parse(when({ keys: [name] })))).toEqual([
    '"rules".[0]."when"."keys".[0] is the name of a key, or "issuer:subject" for tokens',
  ]);
});

test('a file that does not exist is refused in one sentence', () => {
  expect(faultsOf(() => readApprovalsText('/nowhere/approvals.json'))).toEqual([
    expect.stringMatching(/^The approval file "\/nowhere\/approvals\.json" cannot be read: .+\.$/),
  ]);
});

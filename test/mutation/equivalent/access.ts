import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/access`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    file: 'src/access/tokens.ts',
    mutator: 'StringLiteral',
    line: "const issuerOf = (token: string) => byIssuer.get(issOf(token) ?? '');",
    original: "''",
    replacement: '"Stryker was here!"',
    reason: 'No issuer has either name.',
  },
  {
    file: 'src/access/tokens.ts',
    mutator: 'ConditionalExpression',
    line: 'owns: (token: string): boolean => byIssuer.size > 0 && issuerOf(token) !== undefined,',
    original: 'byIssuer.size > 0',
    replacement: 'true',
    reason: 'Without issuers none is found; the condition only saves the decoding.',
  },
  {
    file: 'src/access/tokens.ts',
    mutator: 'EqualityOperator',
    line: 'owns: (token: string): boolean => byIssuer.size > 0 && issuerOf(token) !== undefined,',
    original: 'byIssuer.size > 0',
    replacement: 'byIssuer.size >= 0',
    reason: 'Without issuers none is found; the condition only saves the decoding.',
  },
  {
    file: 'src/access/tokens.ts',
    mutator: 'ArrayDeclaration',
    line: "const names = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];",
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A name that is no scope is dropped.',
  },
  {
    file: 'src/access/tokens.ts',
    mutator: 'ConditionalExpression',
    line: "if (token.split('.', 4).length !== 3) return null;",
    original: "token.split('.', 4).length !== 3",
    replacement: 'false',
    reason: 'jose refuses it too; the condition only saves the decoding.',
  },
  {
    file: 'src/access/tokens.ts',
    mutator: 'ConditionalExpression',
    line: "return typeof iss === 'string' ? iss : null;",
    original: "typeof iss === 'string'",
    replacement: 'true',
    reason: 'No issuer is found by anything but a string.',
  },
  {
    file: 'src/access/issuer-keys.ts',
    mutator: 'StringLiteral',
    line: "if ('file' in jwks) return JSON.parse(await readFile(jwks.file, 'utf8'));",
    original: "'utf8'",
    replacement: '""',
    reason: 'JSON.parse reads a buffer as UTF-8.',
  },
  {
    file: 'src/access/keyring.ts',
    mutator: 'StringLiteral',
    line: "const known = made.get(madeKey.exec(text)?.[1] ?? '');",
    original: "''",
    replacement: '"Stryker was here!"',
    reason: 'No made key has either prefix.',
  },
];

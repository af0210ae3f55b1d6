// Sign-in. The cookie of a session is a token that the gateway verifies; no script of a page can read it.

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Those of the demo. `customer` is the id that the shop has for its customer, and the gateway for the owner of domains. */
const accounts = [
  { id: 'adas-bakery', name: 'Ada’s Bakery', customer: 'adas-bakery' },
  { id: 'blue-bicycle', name: 'Blue Bicycle', customer: 'blue-bicycle' },
  { id: 'staff', name: 'Reseller (staff)', isStaff: true },
];

/**
 * The account that a visitor signs in to; null when the visitor must not.
 *
 * A real shop replaces this function by its own login: a password, a passkey, or the code of its identity provider.
 *
 * @param {unknown} body the JSON that the sign-in page sent
 */
export async function signIn(body) {
  return accounts.find(({ id }) => id === body?.account) ?? null;
}

/** What a customer may do, with its own domains only. `prices:cost`, `account:read` and `ops` would show the business of the shop. */
const customerScopes =
  'domains:check domains:read domains:write domains:unlock domains:spend authcode:read contacts:read events:read';
const staffScopes = `${customerScopes} customers:write prices:cost account:read ops`;
const visitorScopes = 'domains:check';

const cookieName = 'storefront';
const audience = 'reseller-graph';
const issuerOf = { customer: 'storefront-customers', staff: 'storefront-staff' };

/**
 * @param {string} directory of the key that signs the tokens; it is made at the first start
 * @param {number} [hours] until a session ends
 */
export function createSessions(directory, hours = 8) {
  const lifetimeSeconds = Math.round(hours * 3600);
  const { privateKey, publicKey, jwks } = keysIn(directory);
  const claimsOf = (token) => verifiedClaims(token, publicKey);
  const tokenFor = ({ id, name, ...account }) => {
    const exp = seconds() + lifetimeSeconds;
    return signed({ aud: audience, sub: id, name, exp, ...rightsOf(account) }, privateKey);
  };
  let visitor = { token: '', exp: 0 };

  return {
    /** `JWT_ISSUERS` of the gateway. A token of the first without a customer is refused. */
    issuers: [
      { name: 'shop', issuer: issuerOf.customer, customerClaim: 'customer' },
      { name: 'staff', issuer: issuerOf.staff },
    ].map((issuer) => ({ ...issuer, jwks, audience, algorithms: ['EdDSA'] })),

    /** The token for a request: that of its session, or one that may search only. */
    tokenOf(request) {
      const token = cookieOf(request);
      if (claimsOf(token)) return token;
      // One for many requests, because the gateway caches a verified token.
      if (visitor.exp < seconds() + 60) {
        const exp = seconds() + lifetimeSeconds;
        visitor = { exp, token: tokenFor({ id: 'visitor', isVisitor: true }) };
      }
      return visitor.token;
    },

    /** A token of the account that is not sent to a browser. */
    tokenForServer: (id) => tokenFor(accounts.find((one) => one.id === id)),

    /** What a page may know about its session. */
    describe(request) {
      const claims = claimsOf(cookieOf(request));
      return {
        account: claims && {
          ...{ id: claims.sub, name: claims.name },
          isStaff: claims.iss === issuerOf.staff,
        },
        expiresAt: claims && new Date(claims.exp * 1000).toISOString(),
        // For the sign-in page of the demo, and the customers of the panel.
        accounts: accounts.map(({ id, name, isStaff = false }) => ({ id, name, isStaff })),
      };
    },

    /** The cookie of a new session; null when the sign-in is refused. */
    async start(request, body) {
      const account = await signIn(body);
      return account && cookie(request, tokenFor(account), lifetimeSeconds);
    },

    /** The cookie that ends a session in its browser. The token in it stays valid until it expires. */
    end: (request) => cookie(request, '', 0),
  };
}

const seconds = () => Math.floor(Date.now() / 1000);

function rightsOf({ customer, isStaff, isVisitor }) {
  if (isStaff) return { iss: issuerOf.staff, scope: staffScopes };
  if (isVisitor) return { iss: issuerOf.customer, customer: 'visitor', scope: visitorScopes };
  return { iss: issuerOf.customer, customer, scope: customerScopes };
}

const cookieOf = ({ headers }) =>
  new RegExp(`(?:^|; )${cookieName}=([\\w.-]+)`).exec(headers.cookie ?? '')?.[1] ?? '';

function cookie({ headers }, value, maxAge) {
  // Set by a server before this one that ends TLS.
  const secure = headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`;
}

/** The private key of the folder, and the file of its public key for the gateway. */
function keysIn(directory) {
  const file = join(directory, 'private.pem');
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  const privateKey = createPrivateKey(readFileSync(file));
  const publicKey = createPublicKey(privateKey);
  const jwks = resolve(directory, 'jwks.json');
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig' };
  writeFileSync(jwks, JSON.stringify({ keys: [jwk] }));
  return { privateKey, publicKey, jwks };
}

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims, privateKey) {
  const text = `${encoded({ alg: 'EdDSA', typ: 'JWT' })}.${encoded(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

/** The claims of a token of this server; null for any other text, and when it has expired. */
function verifiedClaims(token, publicKey) {
  const [head, body, signature = ''] = token.split('.');
  const isOwn = verify(
    null,
    Buffer.from(`${head}.${body}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  const claims = isOwn ? JSON.parse(Buffer.from(body, 'base64url').toString()) : null;
  return claims && claims.exp > seconds() ? claims : null;
}

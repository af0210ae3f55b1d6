/** Raised whenever a table changes; a file of another version is refused instead of misread. */
export const schemaVersion = '1';

/** Children before their parents, so that they can be emptied and dropped in this order. */
export const tables = [
  'meta',
  'balances',
  'contacts',
  'domains',
  'purchases',
  'tokens',
  'carts',
  'hosting_groups',
  'logs',
  'resellers',
] as const;

/** Money is decimal text, instants are epoch milliseconds, flags 0 or 1, lists and maps JSON text. */
export const schemaSql = `
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS resellers (
  id INTEGER PRIMARY KEY,
  shown_id INTEGER NOT NULL,
  username TEXT NOT NULL UNIQUE,
  password TEXT NOT NULL,
  name TEXT NOT NULL,
  currency TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS balances (
  reseller INTEGER NOT NULL REFERENCES resellers (id),
  currency TEXT NOT NULL,
  symbol TEXT NOT NULL,
  amount TEXT NOT NULL,
  PRIMARY KEY (reseller, currency)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS contacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reseller INTEGER NOT NULL,
  fields TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reseller INTEGER NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  registry_status TEXT,
  auth_code TEXT NOT NULL,
  locked INTEGER NOT NULL,
  privacy INTEGER NOT NULL,
  start_at INTEGER NOT NULL,
  held_since INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  next_at INTEGER,
  name_servers TEXT NOT NULL,
  glue TEXT NOT NULL,
  additional TEXT NOT NULL,
  registrant INTEGER NOT NULL,
  administrative INTEGER NOT NULL,
  billing INTEGER NOT NULL,
  technical INTEGER NOT NULL,
  UNIQUE (name, reseller)
) STRICT;
CREATE INDEX IF NOT EXISTS domains_by_reseller ON domains (reseller, id);
CREATE INDEX IF NOT EXISTS domains_by_next_at ON domains (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS purchases (
  id INTEGER PRIMARY KEY,
  reseller INTEGER NOT NULL,
  kind TEXT NOT NULL,
  domain TEXT NOT NULL,
  period INTEGER NOT NULL,
  price TEXT NOT NULL,
  currency TEXT NOT NULL,
  at INTEGER NOT NULL,
  balance_after TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS purchases_by_reseller ON purchases (reseller, id);

CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, user TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS carts (
  id TEXT PRIMARY KEY,
  user TEXT NOT NULL,
  details TEXT NOT NULL,
  total REAL NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS hosting_groups (
  id TEXT PRIMARY KEY,
  user TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  image TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS logs (
  id INTEGER PRIMARY KEY,
  user TEXT NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS logs_by_user ON logs (user);
`;

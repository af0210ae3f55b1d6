import { instant, type RowsOf, table, text, textOrEmpty } from '../../persistence/table.ts';

/** The quotes and previews of tools, which a handle names. */
export const handlesTable = table(
  'handles',
  {
    /** A hash of the handle, 64 hexadecimal digits. */
    id: text,
    /** The name of the key; null with open access. */
    caller: textOrEmpty,
    /** The tool that accepts the handle. */
    tool: text,
    /** JSON, encrypted with a key that is derived from the handle. */
    input: text,
    expiresAt: instant,
  },
  {
    hidden: { account: text },
    key: 'id',
    indexes: { by_caller: '(account, caller, expires_at)', by_expiry: '(expires_at)' },
  },
);

export type HandleTables = RowsOf<typeof handlesTable>;

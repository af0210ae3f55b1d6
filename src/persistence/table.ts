import type { ColumnType, Generated, Selectable } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { parseInstant } from '../kernel/instant.ts';
import { fromStoredJson, toStoredJson } from '../kernel/stored-json.ts';

/** A table of one feature, or of the core. */
export interface Table {
  readonly name: string;
  /** Its steps, oldest first, each the statements of one release. */
  readonly steps: readonly (readonly Statement[])[];
}

/** In the SQL that SQLite and PostgreSQL have in common, or in that of each, such as a trigger. */
type Statement = string | { readonly sqlite?: string; readonly postgres?: string };

export const statementsFor = (driver: 'sqlite' | 'postgres', statements: readonly Statement[]) =>
  statements.flatMap((one) => (typeof one === 'string' ? one : (one[driver] ?? [])));

/** A trigger of both drivers. Its statements and its condition have the rows as `new` and `old`. */
export function trigger(name: string, on: string, statements: string, condition = 'true') {
  const begin = `create trigger ${name} ${on} for each row when (${condition})`;
  const body = statements.replaceAll('json_object(', 'json_build_object(');
  return [
    {
      sqlite: `${begin} begin ${statements} end`,
      postgres: `create function ${name}() returns trigger language plpgsql as
        $$ begin ${body} return null; end $$`,
    },
    { postgres: `${begin} execute function ${name}()` },
  ];
}

/** A column: its type in SQL, and the conversions between a row and a record. Without one the value is the same in both. */
export interface Column<Value, Stored = Value> {
  readonly type: string;
  read?(stored: Stored): Value;
  write?(value: Value): Stored;
}

type Columns = Readonly<Record<string, Column<unknown, unknown>>>;

export const integer: Column<number> = { type: 'integer not null' };
export const text: Column<string> = { type: 'text not null' };
export const textOf = <Value extends string>(): Column<Value> => ({ type: 'text not null' });
/** Only names that were parsed are ever written. */
export const domainName = textOf<DomainName>();
/** A text before every name. */
export const noName = '' as DomainName;
/** 1 for yes, 0 for no. */
export const flag = {
  ...integer,
  read: (bit: number): boolean => bit === 1,
  write: (isSet: boolean): number => Number(isSet),
};
/** What `instant` writes, except on 29 February. `parseInstant`, which reads more, takes three times as long. */
const storedInstant =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** ISO 8601 in UTC with milliseconds (24 characters), which makes text order the order of time. */
export const instant = {
  ...text,
  read: (stored: string) => (storedInstant.test(stored) ? new Date(stored) : parseInstant(stored)),
  write: (time: Date) => time.toISOString(),
};
export const json = <Value>() => ({
  ...text,
  read: (stored: string): Value => fromStoredJson(stored),
  write: (value: Value): string => toStoredJson(value),
});
/** Null is stored as an empty text, so that a unique index has its rows too. */
export const textOrEmpty: Column<string | null, string> = {
  ...text,
  read: (stored) => stored || null,
  write: (value) => value ?? '',
};

export function nullable<Value, Stored>({
  type,
  read,
  write,
}: Column<Value, Stored>): Column<Value | null, Stored | null> {
  return {
    type: type.replace(' not null', ''),
    ...(read && { read: (stored: Stored | null) => (stored === null ? null : read(stored)) }),
    ...(write && { write: (value: Value | null) => (value === null ? null : write(value)) }),
  };
}

/** `value` in SQL. */
export const withDefault = <Value, Stored>(column: Column<Value, Stored>, value: string) =>
  ({ ...column, type: column.type.replace(' ', ` default ${value} `) }) as Column<
    Value,
    Generated<Stored>
  >;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type ValueOf<Declared> = Declared extends Column<infer Value, infer _Stored> ? Value : never;
type StoredOf<Declared> = Declared extends Column<infer _Value, infer Stored> ? Stored : never;

type Written<Stored> =
  Stored extends ColumnType<unknown, unknown, infer Updated> ? Updated : Stored;

type Row<Declared extends Columns> = {
  readonly [Name in keyof Declared & string as SnakeCase<Name>]: StoredOf<Declared[Name]>;
};
type Values<Declared extends Columns> = {
  readonly [Name in keyof Declared]: ValueOf<Declared[Name]>;
};
/** Some values. */
type Given<Declared extends Columns> = {
  readonly [Name in keyof Declared]?: ValueOf<Declared[Name]> | undefined;
};
/** The columns of some values. */
type Part<Declared extends Columns, Some> = {
  readonly [Name in keyof Some as Name extends keyof Declared & string
    ? SnakeCase<Name>
    : never]: Name extends keyof Declared ? Written<StoredOf<Declared[Name]>> : never;
};

interface Mapping<Shown extends Columns, Hidden extends Columns> {
  /** The columns of a record. */
  readonly columns: readonly (keyof Row<Shown>)[];
  /** @throws Fault `INVALID_INPUT` when a time in the row is not what this code writes. */
  record(row: Selectable<Row<Shown>>): Values<Shown>;
  /** The columns of these values. Members that are absent or undefined have none. */
  row<Some extends Given<Shown & Hidden>>(
    given: Some & { readonly [Name in Exclude<keyof Some, keyof (Shown & Hidden)>]: never },
  ): Part<Shown & Hidden, Some>;
}

interface DeclaredTable<Name extends string, Shown extends Columns, Hidden extends Columns>
  extends Table,
    Mapping<Shown, Hidden> {
  readonly name: Name;
}

type AnyTable = DeclaredTable<string, Columns, Columns>;

/** A row that was read. */
export type RowOf<Declared extends AnyTable> = Selectable<RowsOf<Declared>[Declared['name']]>;
export type RecordOf<Declared extends Mapping<Columns, Columns>> = ReturnType<Declared['record']>;
/** Some values for `row`. */
export type GivenOf<Declared extends AnyTable> =
  Declared extends DeclaredTable<string, infer Shown, infer Hidden> ? Given<Shown & Hidden> : never;
/** The rows of tables by their names. */
export type RowsOf<Declared extends AnyTable> = {
  readonly [Each in Declared as Each['name']]: Each extends DeclaredTable<
    string,
    infer Shown,
    infer Hidden
  >
    ? Row<Shown & Hidden>
    : never;
};

interface TableOptions<Hidden> {
  /** The columns that no record has. */
  readonly hidden: Hidden;
  /** The columns of the primary key. */
  readonly key: string;
  /** Unique indexes, by their name after that of the table: the columns, and the condition of a partial one. */
  readonly unique?: Readonly<Record<string, string>>;
  /** Of two indexes that appear equal without statistics, SQLite uses the later one. */
  readonly indexes?: Readonly<Record<string, string>>;
  readonly triggers?: readonly Statement[];
}

/** A column has the name of its member in snake case. `hidden` are those that no record has. */
export function mappingOf<Shown extends Columns, Hidden extends Columns>(
  shown: Shown,
  hidden: Hidden,
): Mapping<Shown, Hidden> {
  const columns = Object.fromEntries(
    Object.entries({ ...shown, ...hidden }).map(([member, { read, write }]) => {
      return [member, { member, column: snakeCase(member), read, write }];
    }),
  );
  const ofRecord = Object.values(columns).slice(0, Object.keys(shown).length);
  return {
    columns: ofRecord.map(({ column }) => column) as never,
    record(row: Readonly<Record<string, unknown>>) {
      const record: Record<string, unknown> = {};
      for (const { member, column, read } of ofRecord) {
        const stored = row[column];
        record[member] = read ? read(stored) : stored;
      }
      return record as never;
    },
    row(given: object) {
      const row: Record<string, unknown> = {};
      for (const [member, value] of Object.entries(given)) {
        const { column, write } = columns[member] ?? {};
        if (column && value !== undefined) row[column] = write ? write(value) : value;
      }
      return row as never;
    },
  };
}

/**
 * Declares a table, the one place of its columns. Its first step follows from them. A release makes that step final: then `steps`
 * has its statements, as `npm run ddl` prints them, and a column that is added later has a step of its own.
 */
export function table<Name extends string, Shown extends Columns, Hidden extends Columns>(
  name: Name,
  shown: Shown,
  { hidden, key, unique = {}, indexes = {}, triggers = [] }: TableOptions<Hidden>,
): DeclaredTable<Name, Shown, Hidden> {
  const columns = Object.entries({ ...shown, ...hidden }).map(
    ([member, { type }]) => `"${snakeCase(member)}" ${type}`,
  );
  const parts = [...columns, `constraint ${name}_pkey primary key (${key})`];
  const indexed = (kind: string, all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([suffix, on]) => `create ${kind} ${name}_${suffix} on ${name} ${on}`);
  return {
    name,
    steps: [
      [
        `create table ${name} (\n  ${parts.join(',\n  ')}\n)`,
        ...indexed('unique index', unique),
        ...indexed('index', indexes),
        ...triggers,
      ],
    ],
    ...mappingOf(shown, hidden),
  };
}

import type { Clock } from '../lib/clock.ts';
import type { Table } from '../persistence/table.ts';
import type { Tenant } from '../scope/tenant.ts';
import type { FileContext } from '../server/graphql/file-context.ts';
import type { Routes } from '../server/http/routes.ts';

/**
 * A capability that can be deleted with its folder and its line in `features/index.ts`. Its rows are static. A file with code is
 * imported when it is used, so that commands start fast.
 */
export interface Feature {
  /** The name in `FEATURES`, and of its folder. */
  readonly name: string;
  /** The only features whose files it imports. They come before it in the list. */
  readonly uses: readonly string[];
  readonly tables?: readonly Table[];
  /** Its root fields, in the order of the documentation. */
  readonly rootFields?: RootFields;
  /** Its types that `node` can read. A graph without the feature has none of its types, because nothing refers to them. */
  readonly nodes?: readonly string[];
  /** Its fields of the types of others, such as `Domain.events`. */
  readonly fields?: readonly string[];
  /** Adds its types and fields to the builder. */
  readonly graph?: () => Promise<unknown>;
  readonly routes?: () => Promise<CreateRoutes>;
}

export type RootFields = {
  readonly [Type in 'Query' | 'Mutation' | 'Subscription']?: readonly string[];
};

/** What the routes of a feature need. */
export interface RouteContext extends FileContext {
  readonly clock: Clock;
  /** The tenants by name. A reset of the sandbox replaces them. */
  readonly tenants: () => ReadonlyMap<string, Tenant>;
}

export type CreateRoutes = (context: RouteContext) => Routes;

import type { Clock } from '../lib/clock.ts';
import type { RunItem } from '../modules/job/engine.ts';
import type { Table } from '../persistence/table.ts';
import type { Key } from '../scope/parts.ts';
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
  /** The field of the core that its root fields follow. Default: those of the feature before. */
  readonly after?: { readonly [Type in keyof RootFields]?: string };
  /** Its types that `node` can read. A graph without the feature has none of its types, because nothing refers to them. */
  readonly nodes?: readonly string[];
  /** Its fields of the types of others, such as `Domain.events`. */
  readonly fields?: readonly string[];
  /** Adds its types and fields to the builder. */
  readonly graph?: () => Promise<unknown>;
  readonly routes?: () => Promise<CreateRoutes>;
  /** The work on the items of its jobs, by the kind of the job. A start without it is refused while such items have not ended. */
  readonly jobs?: () => Promise<JobRunners>;
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

/** By the kind of a job. */
export type JobRunners = Readonly<Record<string, Key<Tenant, RunItem>>>;

export type CreateRoutes = (context: RouteContext) => Routes;

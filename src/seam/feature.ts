import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config/config.ts';
import type { FeatureSettings, FeatureValues } from '../config/feature-settings.ts';
import type { TenantConfig } from '../config/tenants.ts';
import type { Caller, ScopeRow } from '../kernel/caller.ts';
import type { FaultEntry } from '../kernel/faults.ts';
import type { MaxAges } from '../kernel/instant.ts';
import type { CommandTrail } from '../kernel/recorder.ts';
import type { Clock } from '../lib/clock.ts';
import type { RunItem } from '../modules/job/engine.ts';
import type { Log } from '../observability/log.ts';
import type { TenantMetricFactory } from '../observability/metrics.ts';
import type { Journal } from '../persistence/journal.ts';
import type { Table } from '../persistence/table.ts';
import type { Database } from '../persistence/tables.ts';
import type { Fill, Key } from '../scope/parts.ts';
import type { Tenant } from '../scope/tenant.ts';
import type { AppContext } from '../server/app.ts';
import type { Routes } from '../server/http/routes.ts';
import type { Example } from '../server/ui/graphiql/examples.ts';
import type { FeaturePage } from '../server/ui/page.ts';
import type { DomainActions } from '../upstream/domain-api/client.ts';

/**
 * A capability that can be deleted with its folder and its line in `features/index.ts`. Its rows are static. A file with code is
 * imported when it is used, so that commands start fast.
 */
export interface Feature {
  /** The name in `FEATURES`, and of its folder. */
  readonly name: string;
  /** The only features whose files it imports. They come before it in the list. */
  readonly uses: readonly string[];
  readonly settings?: FeatureSettings;
  /** Its access scopes. Their names are added to the type `FeatureScopes`. */
  readonly scopes?: Readonly<Record<string, ScopeRow>>;
  /** Its error codes. Their names are added to the type `FeatureFaults`. */
  readonly faults?: Readonly<Record<string, FaultEntry>>;
  /** Its types of events, with their meaning. Their names are added to the type `EventTypes`. */
  readonly events?: Readonly<Record<string, string>>;
  readonly tables?: readonly Table[];
  /** Its root fields, in the order of the documentation. */
  readonly rootFields?: RootFields;
  /** The field of the core that its root fields follow, after those of features before it. Default: the last. */
  readonly after?: { readonly [Type in keyof RootFields]?: string };
  /** Its types that `node` can read, that fields of others have, or that implement an interface of others. A graph without the feature has none of its types, because nothing refers to them. */
  readonly nodes?: readonly string[];
  /** Its fields of the types of others, such as `Domain.events`. */
  readonly fields?: readonly string[];
  /** How clients see the state of a request that it holds. One feature may have it. */
  readonly heldState?: string;
  /** The values that it adds to enums of others, with their descriptions, by the enum. */
  readonly enumValues?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Adds its types and fields to the builder. */
  readonly graph?: () => Promise<unknown>;
  /** Changes the graph that is served, and prints variants of it. */
  readonly variants?: () => Promise<GraphVariants>;
  readonly routes?: () => Promise<CreateRoutes>;
  /** Its tools for models, which the feature that serves tools reads. */
  readonly tools?: () => Promise<FeatureTools>;
  /** Its commands of `domains`, which read a file and send requests to the gateway, by their names. */
  readonly domainCommands?: Readonly<Record<string, DomainCommand>>;
  /** Lines of the first text of the documentation: everyday operations, each with the field to begin with. */
  readonly everyday?: readonly string[];
  /** Tabs of GraphiQL. */
  readonly examples?: () => Promise<readonly Example[]>;
  /** Its pages for browsers. */
  readonly pages?: () => Promise<readonly FeaturePage[]>;
  /** The work on the items of its jobs, by the kind of the job. A start without it is refused while such items have not ended. */
  readonly jobs?: () => Promise<JobRunners>;
  /** Opens what the tenants of a process share, and returns what each tenant gets. A reset of the sandbox does not close it. */
  readonly parts?: () => Promise<{ readonly open: (context: ProcessContext) => OpenFeature }>;
  /** Its files in `with/`, by the name of the other feature, one per line. They are imported before `graph`. */
  readonly joins?: Readonly<Record<string, () => Promise<unknown>>>;
  /** Stores the writes of commands. One feature may have it. */
  readonly commandTrail?: () => Promise<(database: Database, account: string) => CommandTrail>;
  /** Programs for the command line of the package. */
  readonly commands?: Readonly<Record<string, Command>>;
}

export type RootFields = {
  readonly [Type in 'Query' | 'Mutation' | 'Subscription']?: readonly string[];
};

export interface GraphVariants {
  /** The graph that a gateway serves. */
  serve(schema: GraphQLSchema, serving: Serving): GraphQLSchema;
  readonly sdlFiles: SdlFiles;
}

/** The parts of `Config` that decide about the served graph. */
export interface Serving extends FeatureValues {
  /** Whether clients may read the SDL, as by introspection. */
  readonly introspection: 'caller' | 'off';
  readonly maxAges?: MaxAges;
}

/** The SDL files of the package, by their names. */
export type SdlFiles = Readonly<Record<string, (schema: GraphQLSchema) => string>>;

export interface ProcessContext {
  readonly config: Config;
  readonly clock: Clock;
  /** For what other programs date. */
  readonly wallClock: Clock;
  readonly log: Log;
  /** Null without metrics. */
  readonly metrics: TenantMetricFactory | null;
}

export interface OpenFeature {
  /** The parts of hooks of others. */
  readonly fills?: readonly Fill[];
  /** Parts that work without a request. Each tenant starts them in this order, and closes them in the reverse order. */
  readonly background?: readonly Key<Tenant, unknown>[];
  close?(): Promise<void>;
}

/** A program. Its name is added to the type `FeatureCommands`. */
export interface Command {
  /** One sentence of the help. */
  readonly does: string;
  /** Imports the program, which reads `process.argv` and runs. */
  readonly run: (context: CommandContext) => Promise<unknown>;
  /** The words after `npm` that start it in a clone. Default: `run` and its name. */
  readonly script?: string;
}

/** What programs need of the gateway. */
export interface CommandContext {
  /** Those of features. */
  readonly domainCommands: Readonly<Record<string, DomainCommand>>;
  /** @throws ConfigError */
  readonly readConfig: () => Config;
  /** Opens the journal of a gateway that was started before. @throws Fault `JOURNAL_UNAVAILABLE` */
  readonly openAccount: (config: Config, tenant: TenantConfig) => Promise<OpenAccount>;
  /** Connects to the APIs of the tenant: without URLs to the embedded sandbox of a running gateway. `opened` closes the connections. */
  readonly connect: (
    config: Config,
    tenant: TenantConfig,
    opened: AsyncDisposableStack,
  ) => Promise<{ readonly domainActions: DomainActions }>;
  /** Starts a gateway without a listener. With a caller every request is of this caller, and needs no credentials. */
  readonly startHosted: (config: Config, log: Log, caller: Caller | null) => Promise<Hosted>;
}

/** A gateway in the process of a program. */
export interface Hosted {
  readonly handle: (request: Request) => Promise<Response>;
  close(): Promise<unknown>;
}

export interface OpenAccount {
  readonly journal: Journal;
  /** Part of every key of the journal. */
  readonly account: string;
  /** Stores the writes of the command. */
  readonly trail: CommandTrail;
}

/** What the routes of a feature need. */
export interface RouteContext extends AppContext {
  readonly config: Config;
  /** The tenants by name. A reset of the sandbox replaces them. */
  readonly tenants: () => ReadonlyMap<string, Tenant>;
  /** @throws Fault `FORBIDDEN` for a caller of an unknown tenant. */
  readonly tenantOf: (caller: Caller) => Tenant;
  /** Whether this feature is selected. */
  readonly has: (name: string) => boolean;
  /** Loads the tools of the selected features. */
  readonly loadTools: () => Promise<readonly FeatureTools[]>;
}

/** The feature that serves tools for models adds the members with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: without that feature there are none
export interface FeatureTools {}

export interface DomainCommand {
  /** Its lines of `--help`. */
  readonly does: string;
  /** Whether its exit code says that something differs. */
  readonly isComparison?: true;
  /** Whether it changes something only with `--yes`. */
  readonly needsYes?: true;
  /** Loads its code, which returns the sentence that is printed. */
  readonly run: () => Promise<
    (config: Config, fd: number, isConfirmed: boolean) => Promise<string>
  >;
}

/** By the kind of a job. */
export type JobRunners = Readonly<Record<string, Key<Tenant, RunItem>>>;

export type CreateRoutes = (context: RouteContext) => Routes;

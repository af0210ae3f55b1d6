import type { AccessScope } from '../../kernel/caller.ts';
import type { HttpRequest } from '../../server/http/http-request.ts';
import type { Arguments, JsonSchema, ObjectSchema } from './json-schema.ts';
import type { AddressOf } from './notes.ts';
import type { ToolResult } from './tool-result.ts';

/** A tool as clients see it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  /** For models: the content, when to use the tool, and its upstream calls. */
  readonly description: string;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly inputSchema: ObjectSchema;
}

export interface Tool extends ListedTool {
  /** For each field of its documents that needs a scope, the scopes of which a caller needs one. */
  readonly needed: readonly (readonly AccessScope[])[];
  /** The schema in lists, where it differs from `inputSchema`. */
  readonly listedSchema?: ObjectSchema;
  /** @throws Fault for arguments that it refuses. */
  readonly run: (request: HttpRequest, args: Arguments) => Promise<ToolResult>;
}

/** A tool that is one query. Its arguments are the variables of the query. */
export interface ReadTool extends Pick<ListedTool, 'title' | 'description'> {
  /** Whether the data comes from the gateway alone, and not from the registrar. */
  readonly isLocal?: true;
  /** Its first field is what the tool reads. */
  readonly document: string;
  /** Limits of the graph and short descriptions, by variable. */
  readonly bounds?: Readonly<Record<string, JsonSchema>>;
  /** The variables for some arguments; without it they are the same. */
  readonly variables?: (args: Arguments) => Arguments;
  /** The sentence for an object that does not exist. */
  readonly absent?: string;
  /** Whether its listed schema has no values of enums. */
  readonly briefly?: true;
  /** How many items of a list are shown, the largest, by its name. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Sentences about the data, without text of it. */
  readonly notes?: (
    // biome-ignore lint/suspicious/noExplicitAny: the data has the shape of the document beside it
    data: any,
    addressOf: AddressOf,
    args: Arguments,
    /** Whether there are tools that write. */
    writes: boolean,
  ) => readonly string[];
}

import type { AccessScope } from '../../../kernel/caller.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import type { ObjectSchema } from './json-schema.ts';
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

export type Arguments = Readonly<Record<string, unknown>>;

export interface Tool extends ListedTool {
  /** For each field of its documents that needs a scope, the scopes of which a caller needs one. */
  readonly needed: readonly (readonly AccessScope[])[];
  /** The schema in lists, where it differs from `inputSchema`. */
  readonly listedSchema?: ObjectSchema;
  /** @throws Fault for arguments that it refuses. */
  readonly run: (request: HttpRequest, args: Arguments) => Promise<ToolResult>;
}

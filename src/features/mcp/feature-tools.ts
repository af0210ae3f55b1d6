import type { Handles } from './handle.ts';
import type { ReadTool, Tool } from './tool.ts';
import type { DocumentOptions } from './tool-document.ts';

/** The tools of a feature. */
export interface FeatureTools {
  readonly reading?: Readonly<Record<string, ReadTool>>;
  /** Those that exist with `MCP_WRITES=true` only. */
  readonly createWriting?: (options: DocumentOptions, handles: Handles) => readonly Tool[];
}

import type { UpstreamCall } from './operation.ts';

/** One attempt at one call, as it begins. */
export interface BegunCall extends Pick<UpstreamCall, 'api' | 'action' | 'attempt' | 'batch'> {
  readonly effect: 'read' | 'write';
  /** Of the request that caused it; absent where none did. */
  readonly requestId?: string;
  /** What that request carries for whoever traces it; nobody else looks into it. */
  readonly trace?: unknown;
}

/** An attempt that is under way. */
export interface CallWatch {
  /** What the call carries beside its own headers. */
  headers(): Readonly<Record<string, string>>;
  /** `outcome` as in `UpstreamCall`; `status` of the reply, where one came. */
  end(outcome: string, status?: number): void;
}

/** Is told of every attempt: for logs, metrics and traces. */
export interface UpstreamWatch {
  begin(call: BegunCall): CallWatch;
}

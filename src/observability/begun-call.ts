/** An attempt of an upstream call that is about to be sent. */
export interface BegunCall {
  readonly api: string;
  readonly action: string;
  readonly attempt: number;
  readonly batch?: number;
  readonly effect: 'read' | 'write';
  readonly requestId?: string | undefined;
  readonly trace?: unknown;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** Rows that a reader has taken out of the body. */
  readonly rows?: readonly unknown[];
}

type BodyContent = Pick<WireResponse, 'body' | 'rows'>;

/** Receives the body of one response. */
export interface BodyReader {
  /** A longer body fails the attempt. */
  readonly maxBytes: number;
  take(chunk: Buffer): Promise<void> | void;
  end(): BodyContent | Promise<BodyContent>;
}

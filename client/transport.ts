import { createClient as createSseClient, NetworkError } from 'graphql-sse';
import { type PrintDocument, type TypedDocument, textOf } from './document.ts';
import { ClientError, type ResponseError } from './error.ts';
import { retry } from './resume.ts';

type Headers = Readonly<Record<string, string>>;

export interface ClientOptions {
  /** The address of the graph, such as `https://graph.example/graphql`. */
  readonly url: string;
  /** Headers of each request, such as `{ 'x-api-key': key }`, or a function that is called before each request. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>);
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * How often a request is sent at most while it fails with a temporary error, such as a lost connection; default 3. It applies
   * to what may be repeated: a query, and a mutation with an idempotency key.
   */
  readonly maxAttempts?: number;
  /** `print` of `graphql`; needed only for parsed documents without their text. */
  readonly print?: PrintDocument;
}

export interface SubscribeOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface RequestOptions extends SubscribeOptions {
  /** Receives the errors of a response that also has data. Default: such a response is a ClientError. */
  readonly onErrors?: ((errors: readonly ResponseError[]) => void) | undefined;
}

/** Sends documents to a gateway. */
export class ClientTransport {
  readonly #options: ClientOptions;
  readonly #idleMs: number;
  /** The URL in messages: its query can have a credential. */
  readonly #shownUrl: string;

  /**
   * A connection of a subscription that is silent for `idleMs` is lost.
   *
   * @throws TypeError for a URL with a user name or a password.
   */
  constructor(options: ClientOptions, idleMs: number = defaultIdleMs) {
    if (/^[^/?#]*\/\/[^/?#]*@/.test(options.url)) {
      throw new TypeError('`fetch` refuses a URL with credentials: pass them in `headers`.');
    }
    this.#options = options;
    this.#idleMs = idleMs;
    this.#shownUrl = options.url.replace(/[?#].*/s, '');
  }

  /**
   * Sends a request, up to `maxAttempts` times when it may be repeated: a query, or a mutation with an idempotency key.
   *
   * @throws the error of the last attempt. When `signal` aborts: its reason.
   */
  async request<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables: Variables | undefined,
    options: RequestOptions = {},
    hasKey = false,
  ): Promise<Result> {
    // A document without this word is no mutation.
    const isQuery = !/\bmutation\b/.test(textOf(document, this.#options.print));
    const maxAttempts = isQuery || hasKey ? (this.#options.maxAttempts ?? 3) : 1;
    return retry(() => this.send(document, variables, options), maxAttempts, options.signal);
  }

  /**
   * Sends a request once. A mutation may have been executed although this rejects: read its outcome.
   *
   * @throws ClientError for errors, and when there is no response, within `timeoutMs` if that is set. When `signal` aborts: its
   * reason.
   */
  async send<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables: Variables | undefined,
    { signal, onErrors, timeoutMs }: RequestOptions & { readonly timeoutMs?: number } = {},
  ): Promise<Result> {
    const body = JSON.stringify(this.#bodyOf(document, variables));
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const response = await this.#fetch(this.#options.url, {
      method: 'POST',
      body,
      headers: { ...(await this.#headers()), ...headers },
      signal: anyOf(signal, timeout),
    }).catch((error: unknown) => this.#fail(error, signal));
    const text = await response.text().catch((error: unknown) => this.#fail(error, signal));
    const { data, errors } = this.#read<Result>(response, text);
    if (errors.length > 0) {
      if (!data || !onErrors) throw errorOf(errors, data, headOf(response));
      onErrors(errors);
    }
    return data as Result;
  }

  /**
   * The results of a subscription over one connection. @throws ClientError when the gateway refuses it, when a result has
   * errors, and when the connection is lost.
   */
  async *subscribe<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables: Variables | undefined,
    { signal }: SubscribeOptions = {},
  ): AsyncGenerator<Result, void, undefined> {
    const [body, headers] = [this.#bodyOf(document, variables), await this.#headers()];
    signal?.throwIfAborted();
    // graphql-sse replaces it with an error of its own.
    let known: ClientError | undefined;
    const failed = (error: ClientError): ClientError => {
      known ??= error;
      return error;
    };
    const client = createSseClient({
      url: this.#options.url,
      headers: { ...headers },
      retryAttempts: 0,
      fetchFn: async (url: string, init: RequestInit) => {
        const response = await this.#fetchUntilSilent(url, init);
        if (!response.ok) return response;
        if (!isStream(response)) throw failed(this.#notOfGateway(headOf(response)));
        return withIdleTimeout(response, this.#idleMs, (reason) =>
          failed(this.#networkError(reason)),
        );
      },
    });
    const dispose = () => client.dispose();
    signal?.addEventListener('abort', dispose, { once: true });
    try {
      for await (const { data, errors = [] } of client.iterate<Result>(body)) {
        if (errors.length > 0) throw errorOf(errors as readonly ResponseError[], data, streamHead);
        if (data) yield data;
      }
      signal?.throwIfAborted();
    } catch (error) {
      const reason = await this.#subscriptionError(error, known);
      throw signal?.aborted ? signal.reason : reason;
    } finally {
      signal?.removeEventListener('abort', dispose);
      dispose();
    }
  }

  /** Fails when the head of the response does not arrive in time. */
  async #fetchUntilSilent(url: string, init: RequestInit): Promise<Response> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(silent()), this.#idleMs);
    try {
      return await this.#fetch(url, { ...init, signal: anyOf(init.signal, silence.signal) });
    } finally {
      clearTimeout(timer);
    }
  }

  #bodyOf(document: string | object, variables: unknown) {
    const query = textOf(document, this.#options.print);
    return { query, ...(variables ? { variables: variables as Record<string, unknown> } : {}) };
  }

  async #headers(): Promise<Headers> {
    const { headers = {} } = this.#options;
    return typeof headers === 'function' ? headers() : headers;
  }

  /** The platform's `fetch` must be called without a `this`. */
  get #fetch(): typeof globalThis.fetch {
    return this.#options.fetch ?? ((input, init) => fetch(input, init));
  }

  /** @throws ClientError for a response that is not one of GraphQL. */
  #read<Result>(response: Response, text: string): GraphResponse<Result> {
    const { data, errors } = parse<Result>(text);
    if (Array.isArray(errors) && errors.length > 0) return { data, errors };
    if (response.ok && data) return { data, errors: [] };
    throw this.#notOfGateway(headOf(response));
  }

  /** `known` is why the connection failed, when that is known. */
  async #subscriptionError(error: unknown, known: ClientError | undefined): Promise<ClientError> {
    if (error instanceof ClientError) return error;
    if (!(error instanceof NetworkError)) return this.#notOfGateway(streamHead, error);
    const { response } = error as { readonly response?: Response };
    if (!response) return known ?? this.#networkError(error);
    try {
      const { data, errors } = this.#read(response, await response.text());
      return errorOf(errors, data, headOf(response));
    } catch (unreadable) {
      return unreadable instanceof ClientError ? unreadable : this.#networkError(unreadable);
    }
  }

  #fail(error: unknown, signal: AbortSignal | undefined): never {
    throw signal?.aborted ? signal.reason : this.#networkError(error);
  }

  #networkError(cause: unknown): ClientError {
    return new ClientError(
      `The gateway at ${this.#shownUrl} cannot be reached, or the connection was lost.`,
      { code: 'NETWORK_ERROR', cause },
    );
  }

  #notOfGateway(head: StreamHead, cause?: unknown): ClientError {
    return new ClientError(
      `The response of ${this.#shownUrl} with status ${head.status} is not one of a gateway: check the URL.`,
      { code: 'UNEXPECTED_RESPONSE', ...head, cause },
    );
  }
}

interface GraphResponse<Result> {
  readonly data?: Result | null | undefined;
  readonly errors: readonly ResponseError[];
}

/** A refused subscription is an event stream with one event. */
const firstEvent = /^data: (\{.*)$/m;

function parse<Result>(text: string): { readonly data?: Result | null; readonly errors?: unknown } {
  try {
    return Object(JSON.parse(firstEvent.exec(text)?.[1] ?? text));
  } catch {
    return {};
  }
}

interface StreamHead {
  readonly status: number;
  readonly retryAfterMs: number | null;
}

function headOf({ status, headers }: Response): StreamHead {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return { status, retryAfterMs: seconds >= 0 ? seconds * 1000 : null };
}

function errorOf(errors: readonly ResponseError[], data: unknown, head: StreamHead): ClientError {
  const [{ message, extensions } = { message: 'The response has errors.' }] = errors;
  const code = typeof extensions?.code === 'string' ? extensions.code : 'UNEXPECTED_RESPONSE';
  const category = typeof extensions?.category === 'string' ? extensions.category : null;
  const retryAfterMs = head.retryAfterMs ?? (Number(extensions?.retryAfterMs) || null);
  return new ClientError(message, { code, category, errors, data, ...head, retryAfterMs });
}

const streamHead: StreamHead = { status: 200, retryAfterMs: null };

const isStream = ({ headers, body }: Response): boolean =>
  body !== null && (headers.get('content-type') ?? '').includes('text/event-stream');

/** The gateway sends a comment every 12 seconds. TCP reports no error when the other side is gone without closing. */
export const defaultIdleMs = 40_000;

const silent = () => new Error('The connection is silent.');

/** Aborts with the first of the signals. */
const anyOf = (...signals: readonly (AbortSignal | null | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((one) => one instanceof AbortSignal));

/**
 * The response, with a body that fails when it is silent for too long, and at its end: the results end with an event, and
 * graphql-sse does not notice the end of a body while it has results that were not read.
 */
function withIdleTimeout(
  response: Response,
  idleMs: number,
  failed: (reason: unknown) => ClientError,
): Response {
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const fail = (reason: unknown) => controller.error(failed(reason));
      const timer = setTimeout(() => {
        fail(silent());
        void reader?.cancel();
      }, idleMs);
      try {
        const chunk = await reader?.read();
        if (chunk?.value) controller.enqueue(chunk.value);
        else fail(new Error('The stream has ended.'));
      } catch (error) {
        fail(error);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return new Response(body, response);
}

/** One event of GraphQL over SSE; `next` has an execution result, `complete` nothing. */
export interface StreamEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
  readonly data: any;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; null when the stream is over. Comments that keep the connection open are no events. */
  next(): Promise<StreamEvent | null>;
  /** All events that are still to come. */
  rest(): Promise<readonly StreamEvent[]>;
  hangUp(): void;
}

export interface StreamRequest {
  readonly query: string;
  readonly variables?: object;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests an event stream from the graph at `url`, as a client in the distinct connections mode. */
export async function openStream(url: string, request: StreamRequest): Promise<EventStream> {
  const { query, variables = {}, method = 'POST', headers = {} } = request;
  const leaving = new AbortController();
  const parameters = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  const response = await fetch(`${url}/graphql${method === 'GET' ? `?${parameters}` : ''}`, {
    method,
    headers: {
      accept: 'text/event-stream',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(method === 'POST' && { body: JSON.stringify({ query, variables }) }),
    signal: leaving.signal,
  });
  const events = readEvents(response);
  const next = async () => (await events.next()).value ?? null;
  return {
    status: response.status,
    headers: response.headers,
    next,
    async rest() {
      const all: StreamEvent[] = [];
      for (let event = await next(); event; event = await next()) all.push(event);
      return all;
    },
    hangUp: () => leaving.abort(),
  };
}

async function* readEvents({ body }: Response): AsyncGenerator<StreamEvent, undefined> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      const lines = text.slice(0, at).split('\n');
      text = text.slice(at + 2);
      const field = (name: string) =>
        lines
          .find((line) => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim();
      const event = field('event');
      const data = field('data');
      if (event) yield { event, data: data ? JSON.parse(data) : null };
    }
  }
}

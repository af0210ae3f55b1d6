import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestNotes, RequestView } from './request-view.ts';

/** A request of `node:http` as the rules look at it. */
export class NodeRequest implements RequestView {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #hungUp: AbortController | undefined;
  readonly headers = { get: (name: string): string | null => this.#header(name) };
  readonly notes: RequestNotes;

  constructor(request: IncomingMessage, response: ServerResponse, notes: RequestNotes = {}) {
    this.#request = request;
    this.#response = response;
    this.notes = notes;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  /** Made when it is first asked for: most requests are answered before anybody could hang up. */
  get signal(): AbortSignal {
    if (this.#hungUp) return this.#hungUp.signal;
    const hungUp = new AbortController();
    this.#hungUp = hungUp;
    const response = this.#response;
    const hangUp = () => {
      if (!response.writableFinished) hungUp.abort();
    };
    if (response.destroyed) hangUp();
    else response.once('close', hangUp);
    return hungUp.signal;
  }

  #header(name: string): string | null {
    const value = this.#request.headers[name];
    return (Array.isArray(value) ? value.join(', ') : value) ?? null;
  }
}

import type { Dispatcher } from 'undici';
import { Fault } from '../../kernel/faults.ts';
import type { BodyReader, WireReply } from './transport.ts';

type Head = Pick<WireReply, 'status' | 'headers'>;

/**
 * Receives one reply from undici's dispatcher. The stream of `undici.request` would cost more than the rest of a small call.
 */
export class Receiver implements Dispatcher.DispatchHandler {
  readonly #reader: BodyReader;
  readonly #stop: AbortSignal;
  readonly #end = Promise.withResolvers<Head>();
  #controller: Dispatcher.DispatchController | null = null;
  #head: Head | null = null;
  #length = 0;

  constructor(reader: BodyReader, stop: AbortSignal) {
    this.#reader = reader;
    this.#stop = stop;
  }

  /** Whether the head of a reply has arrived. */
  get hasReply(): boolean {
    return this.#head !== null;
  }

  /** Sends a request; resolves at the end of the reply. @throws an error of undici or the reader, or the reason of `stop`. */
  async receive(from: Dispatcher, request: Dispatcher.DispatchOptions): Promise<Head> {
    const stop = () => {
      this.#controller?.abort(this.#stop.reason);
      this.#end.reject(this.#stop.reason);
    };
    this.#stop.addEventListener('abort', stop, { once: true });
    try {
      from.dispatch(request, this);
      return await this.#end.promise;
    } finally {
      this.#stop.removeEventListener('abort', stop);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stop.aborted) controller.abort(this.#stop.reason);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Head['headers'],
  ): void {
    // A 1xx response is informational.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // undici sends an empty chunk after each pause; pausing again for it would never end.
    if (chunk.length === 0) return;
    this.#length += chunk.length;
    if (this.#length > this.#reader.mostBytes) {
      throw new Fault('UPSTREAM_PROTOCOL', { executed: 'UNKNOWN' });
    }
    const taking = this.#reader.take(chunk);
    if (!taking) return;
    controller.pause();
    taking.then(
      () => controller.resume(),
      (error) => controller.abort(error),
    );
  }

  onResponseEnd(): void {
    if (this.#head) this.#end.resolve(this.#head);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end.reject(error);
  }
}

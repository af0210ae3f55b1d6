import type { Dispatcher } from 'undici';
import { Fault } from '../kernel/faults.ts';
import type { BodyReader, WireReply } from './transport.ts';

type Head = Pick<WireReply, 'status' | 'headers'>;

/**
 * Takes one reply as undici's dispatcher delivers it: a stream and its bookkeeping would cost more than all else of a
 * small call, and much of that would be left for the slow collection of garbage.
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

  /** Whether a reply has begun. */
  get hasReply(): boolean {
    return this.#head !== null;
  }

  /** Sends a request; resolves when the whole reply was taken. @throws what undici, the reader or `stop` says. */
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
    // What comes before is about the reply, and none yet.
    if (status >= 200) this.#head = { status, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // As one comes after each pause; another pause for it would never end.
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

import type { ExecutionResult, GraphQLError } from 'graphql';
import type { HttpRequest } from '../http/http-request.ts';
import type { Rules } from './rule.ts';

interface CheckedStream {
  /** Ends the stream when its request is refused now. */
  check(): Promise<void>;
}

/** The open responses that have several parts. */
export type CheckedStreams = Set<CheckedStream>;

interface CheckedPartsOptions {
  readonly request: HttpRequest;
  readonly rules: Rules;
  readonly streams: CheckedStreams;
}

type ResultPart = IteratorResult<ExecutionResult, undefined>;

const end: ResultPart = { value: undefined, done: true };

/**
 * The parts as the client receives them. A refused part is replaced by its error, and is the last one. `check` refuses the
 * next part while the stream waits for it.
 */
export function checkedParts(
  parts: AsyncIterable<ExecutionResult>,
  { request, rules, streams }: CheckedPartsOptions,
): AsyncIterableIterator<ExecutionResult, undefined> {
  const source = parts[Symbol.asyncIterator]();
  let isOpen = true;
  /** Sends the next part; null while the client does not wait for one. */
  let send: ((part: ResultPart) => void) | null = null;

  const close = () => {
    if (!isOpen) return end;
    isOpen = false;
    streams.delete(stream);
    // The stream ends in any case.
    source.return?.().catch(() => undefined);
    return end;
  };
  const finish = (part: ExecutionResult): ResultPart => ({
    value: rules.finishResult(part, request, true),
    done: false,
  });
  const refuse = (error: GraphQLError): ResultPart => {
    close();
    return finish({ errors: [error] });
  };
  const stream: CheckedStream = {
    async check() {
      const error = await rules.check('onPart', request);
      if (!error || !send || !isOpen) return;
      send(refuse(error));
    },
  };
  const readNext = async (): Promise<ResultPart> => {
    const part = await source.next();
    if (part.done || !isOpen) return close();
    const error = await rules.check('onPart', request);
    if (!isOpen) return end;
    return error ? refuse(error) : finish(part.value);
  };
  streams.add(stream);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (!isOpen) return Promise.resolve(end);
      return new Promise<ResultPart>((resolve, reject) => {
        send = resolve;
        readNext().then(
          (part) => {
            // Before the client waits for the part after this one.
            send = null;
            resolve(part);
          },
          (error: unknown) => {
            close();
            reject(error);
          },
        );
      });
    },
    return: async () => close(),
  };
}

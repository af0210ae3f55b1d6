import type { Plugin } from 'graphql-yoga';
import { requestFault } from '../request-fault.ts';

/** Refuses a subscription to whoever takes no event stream: one JSON answer cannot tell of what is still to come. */
export function useEventStream(): Plugin<{ request: Request }> {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      if (takesStream(args.contextValue.request.headers.get('accept'))) return;
      setResultAndStopExecution({ errors: [requestFault('BAD_USER_INPUT', sentence, 406)] });
    },
  };
}

const streams = new Set(['text/event-stream', 'text/*', '*/*']);

const takesStream = (accept: string | null): boolean =>
  !accept ||
  accept.split(',').some((one) => streams.has(one.replace(/;.*$/, '').trim().toLowerCase()));

const sentence = 'A subscription is an event stream: ask for it with `accept: text/event-stream`.';

import type { Plugin } from 'graphql-yoga';
import { requestFault } from '../request-fault.ts';

/** Refuses a subscription to a client that does not read server-sent events: it would wait for an answer that is none. */
export function useEventStream(): Plugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const accepted = args.contextValue.request.headers.get('accept') ?? '*/*';
      if (/text\/(?:event-stream|\*)|\*\/\*/i.test(accepted)) return;
      setResultAndStopExecution({ errors: [requestFault('BAD_USER_INPUT', sentence, 406)] });
    },
  };
}

const sentence =
  'A subscription is answered as a stream of events: send the header `accept: text/event-stream`.';

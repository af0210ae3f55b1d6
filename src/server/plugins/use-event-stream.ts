import { accepts } from '../accepts.ts';
import type { Layer } from '../layer.ts';
import { requestFault } from '../request-fault.ts';

/** Refuses a subscription to whoever takes no event stream: one JSON answer cannot tell of what is still to come. */
export const useEventStream = (): Layer => ({
  full: {
    onSubscribe({ args, setResultAndStopExecution }) {
      if (takesStream(args.contextValue.request.headers.get('accept'))) return;
      setResultAndStopExecution({ errors: [requestFault('BAD_USER_INPUT', sentence, 406)] });
    },
  },
  plain: { none: 'a subscription goes the full way' },
});

const takesStream = (accept: string | null): boolean =>
  !accept || accepts(accept, ['text/event-stream', 'text/*', '*/*']);

const sentence = 'A subscription is an event stream: ask for it with `accept: text/event-stream`.';

import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { anybody } from '../../kernel/caller.ts';
import { faults } from '../../kernel/faults.ts';
import { delayingDirectives } from '../delaying.ts';
import type { Layer } from '../layer.ts';
import { requestFault } from '../request-fault.ts';
import { notesOf } from '../request-view.ts';
import { createStreamPlaces, type StreamBounds } from '../stream-places.ts';

/** What an answer in parts is sent on; there is none where a test asks without a socket. */
interface Line {
  readonly request: Request;
  readonly res?: ServerResponse;
}

const retryAfterSeconds = '5';

/**
 * Bounds how many answers stay open, in all and for each caller; where nobody is asked for a key each address is one. A
 * place is taken until the response is closed, however that comes about.
 */
export function useStreamLimit(bounds: StreamBounds): Layer {
  const takePlace = createStreamPlaces(bounds);
  const refusalOf = ({ request, res }: Line): GraphQLError | null => {
    if (!res) return null;
    const { tenant, name } = notesOf(request).caller ?? anybody;
    const leave = takePlace(JSON.stringify([tenant, name ?? res.socket?.remoteAddress]));
    if (leave === null) return tooMany();
    if (res.closed) leave();
    else res.once('close', leave);
    return null;
  };
  return {
    full: {
      onSubscribe({ args, setResultAndStopExecution }) {
        const refusal = refusalOf(args.contextValue as Line);
        if (refusal) setResultAndStopExecution({ errors: [refusal] });
      },
      onExecute({ args, setResultAndStopExecution }) {
        if (delayingDirectives(args.document).length === 0) return;
        const refusal = refusalOf(args.contextValue as Line);
        if (refusal) setResultAndStopExecution({ errors: [refusal] });
      },
    },
    plain: { none: 'it answers in one piece' },
  };
}

const tooMany = () =>
  requestFault('RATE_LIMITED', `${faults.RATE_LIMITED.message} ${why}`, 429, {
    'retry-after': retryAfterSeconds,
  });

const why = 'So many answers are open already that no other can be; end one of them.';

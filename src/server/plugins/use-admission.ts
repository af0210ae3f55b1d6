import type { ExecutionResult, GraphQLError } from 'graphql';
import { anybody } from '../../kernel/caller.ts';
import { faults } from '../../kernel/faults.ts';
import type { Admission } from '../admission.ts';
import type { Layer } from '../layer.ts';
import { requestFault } from '../request-fault.ts';
import { notesOf, type RequestView } from '../request-view.ts';

export interface AdmissionLayerOptions {
  readonly admission: Admission;
  /** Whether so much waits for the service already, of the caller's account, that more would wait for long. */
  readonly isCrowded: (tenant: string) => boolean;
}

/** What a document says that buys, or asks what became of a purchase. Whether it does is looked at once it is read. */
const urgentWords = /\b(?:registerDomain|transferDomain|operation(?:ByKey|s|Settled)?)\b/;

/**
 * Lets in as much as can be done in time, and refuses the rest at once, before a document is even read. Purchases, and
 * questions what became of them, are the last to be refused; what was let in is finished.
 */
export function useAdmission({ admission, isCrowded }: AdmissionLayerOptions): Layer {
  const refusalOf = (text: string, request: RequestView): GraphQLError | null => {
    const { tenant } = notesOf(request).caller ?? anybody;
    const hasRoom = admission.hasRoom(false) && !isCrowded(tenant);
    return hasRoom || urgentWords.test(text) ? null : overloaded();
  };
  /** Whether it may be executed now that it is known what it is. */
  const lets = (request: RequestView): boolean => {
    const notes = notesOf(request);
    if (notes.admittedAs) return true;
    const isUrgent = notes.estimate?.isNeverLimited ?? false;
    if (!admission.hasRoom(isUrgent)) return false;
    admission.enter(isUrgent);
    notes.admittedAs = isUrgent ? 'urgent' : 'other';
    return true;
  };
  return {
    full: {
      onParams({ request, params }) {
        const refusal = refusalOf(params.query ?? '', request);
        if (refusal) throw refusal;
      },
      onExecute({ args, setResultAndStopExecution }: Beginning) {
        if (!lets(args.contextValue.request)) {
          setResultAndStopExecution({ errors: [overloaded()] });
        }
      },
    },
    plain: {
      sheds: refusalOf,
      allows: (_asked, request) => lets(request),
    },
  };
}

interface Beginning {
  readonly args: { readonly contextValue: { readonly request: RequestView } };
  readonly setResultAndStopExecution: (result: ExecutionResult) => void;
}

const overloaded = () =>
  requestFault('OVERLOADED', faults.OVERLOADED.message, 503, { 'retry-after': '1' });

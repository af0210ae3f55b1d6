import { anybody } from '../../kernel/caller.ts';
import { faults } from '../../kernel/faults.ts';
import type { Admission } from '../admission.ts';
import type { Beginning, Layer } from '../layer.ts';
import { requestFault } from '../request-fault.ts';
import { notesOf, type RequestView } from '../request-view.ts';

export interface AdmissionLayerOptions {
  readonly admission: Admission;
  /** Whether so much waits for the service already, of the caller's account, that more would wait for long. */
  readonly isCrowded: (tenant: string) => boolean;
}

/**
 * What a document says that buys, or asks what became of a purchase, and what a body says whose document is not in it or
 * cannot be looked at. Whether it is so is looked at once it is read.
 */
const urgentWords =
  /(?:registerDomain|transferDomain|purchase(?:ByKey|Settled)?)(?:\s|\\[nrt])*\(|purchases\b|\\u|"documentId"|"persistedQuery"/;

/**
 * Lets in as much as can be done in time, and refuses the rest at once, before a document is even read. Purchases, and
 * questions what became of them, are the last to be refused; what was let in is finished.
 */
export function useAdmission({ admission, isCrowded }: AdmissionLayerOptions): Layer {
  const { fault, status, headers } = shed;
  const refused = requestFault(fault, faults[fault].message, status, headers);
  /** Takes a place at once: of many that come in one turn of the loop each has to see those before it. */
  const isShed = (text: string, request: RequestView): boolean => {
    const notes = notesOf(request);
    if (notes.admittedAs) return false;
    const { tenant } = notes.caller ?? anybody;
    if (admission.hasRoom(false) && !(admission.isOn && isCrowded(tenant))) {
      admission.enter(false);
      notes.admittedAs = 'other';
      return false;
    }
    return !urgentWords.test(text);
  };
  /** Whether it may be executed now that it is known what it is. */
  const lets = (request: RequestView): boolean => {
    const notes = notesOf(request);
    if (notes.admittedAs) return true;
    if (!notes.estimate?.isNeverLimited || !admission.hasRoom(true)) return false;
    admission.enter(true);
    notes.admittedAs = 'urgent';
    return true;
  };
  return {
    full: {
      onParams({ request, params }) {
        if (isShed(params.query ?? '', request)) throw refused;
      },
      onExecute({ args, setResultAndStopExecution }: Beginning) {
        if (!lets(args.contextValue.request)) setResultAndStopExecution({ errors: [refused] });
      },
      // A stream that is open is bounded by its own limit, and takes no place of what is done at once.
      onSubscribe({ args }) {
        const notes = notesOf(args.contextValue.request);
        if (notes.admittedAs) admission.leave(notes.admittedAs === 'urgent');
        delete notes.admittedAs;
      },
    },
    plain: {
      sheds: (text, request) => (isShed(text, request) ? shed : null),
      allows: (_asked, request) => lets(request),
    },
  };
}

const shed = { fault: 'OVERLOADED', status: 503, headers: { 'retry-after': '1' } } as const;

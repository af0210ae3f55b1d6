import { Fault } from '../kernel/faults.ts';

/** The fault that a Domain API error body tells of, or null when the body is no error. */
export function readErrorBody(body: unknown): Fault | null {
  return body instanceof Fault ? body : null;
}

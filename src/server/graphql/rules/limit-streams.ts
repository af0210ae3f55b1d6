import { faults } from '../../../kernel/faults.ts';
import { requestFault } from '../errors/request-fault.ts';
import type { Rule } from '../rule.ts';
import { hasSingleResult } from '../single-result.ts';

export interface StreamLimits {
  /** Of all callers together. */
  readonly inAll: number;
  readonly perCaller: number;
}

const retryAfterSeconds = '5';

/**
 * Limits the open responses that have several parts. Without authentication each address is a caller. A response counts
 * until it is closed.
 */
export function limitStreams(limits: StreamLimits): Rule {
  const open = new OpenResponses(limits);
  return {
    onOperation({ operation, document }, { response, caller: { tenant, name } }) {
      if (hasSingleResult(operation, document) || response.closed) return null;
      const caller = JSON.stringify([tenant, name ?? response.socket?.remoteAddress]);
      if (!open.add(caller)) return tooMany();
      response.once('close', () => open.remove(caller));
      return null;
    },
  };
}

class OpenResponses {
  readonly #limits: StreamLimits;
  readonly #ofCaller = new Map<string, number>();
  #all = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** False when a limit is reached. */
  add(caller: string): boolean {
    const count = this.#ofCaller.get(caller) ?? 0;
    if (this.#all >= this.#limits.inAll || count >= this.#limits.perCaller) return false;
    this.#all += 1;
    this.#ofCaller.set(caller, count + 1);
    return true;
  }

  remove(caller: string): void {
    this.#all -= 1;
    const left = (this.#ofCaller.get(caller) ?? 0) - 1;
    if (left > 0) this.#ofCaller.set(caller, left);
    else this.#ofCaller.delete(caller);
  }
}

const tooMany = () =>
  requestFault('RATE_LIMITED', `${faults.RATE_LIMITED.message} ${why}`, 429, {
    'retry-after': retryAfterSeconds,
  });

const why = 'The limit of open streams is reached; close one of them.';

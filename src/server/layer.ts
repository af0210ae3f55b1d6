import type { ExecutionResult, OperationDefinitionNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { FaultCode } from '../kernel/faults.ts';
import type { Asked } from './cost/estimate.ts';
import type { Params } from './params.ts';
import type { RequestView } from './request-view.ts';

/** What a rule does to a request that passes Yoga's HTTP layer by. */
export interface PlainSide {
  /** Whether the request may pass. One that may not goes the full way, where the same rule tells it why. */
  admits?(request: RequestView): boolean;
  /** The parameters as they are to be read, with the text of the document; null sends them the full way, as above. */
  resolve?(params: Params): Params | null;
  /** Is told what is about to be executed. */
  begins?(begun: Begun, request: RequestView): void;
  /** Whether the operation may be executed. One that may not goes the full way, where the same rule tells it why. */
  allows?(asked: Asked, request: RequestView): boolean | Promise<boolean>;
  /** Waits until the operation may start; null then. A refusal is sent as it is. */
  queues?(request: RequestView): Refused | null | Promise<Refused | null>;
  /** Whether an answer may be told again as it was. One that may not goes on as if it were not known. */
  allowsAgain?(request: RequestView): boolean | Promise<boolean>;
  /** Headers of the answer. */
  headers?(request: RequestView): Readonly<Record<string, string>>;
  /** The result as the client is to see it. */
  finish?(result: ExecutionResult, request: RequestView): ExecutionResult;
}

/** A refusal that the fast path sends without an error object, so that it costs little in overload. */
export interface Refused {
  readonly fault: FaultCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What will be executed, and the text it was read from. */
export interface Begun {
  readonly operation: OperationDefinitionNode;
  readonly text: string;
}

/** What Yoga hands, of what it does, to a rule that may stop an operation before it is executed. */
export interface Beginning {
  readonly args: Pick<Asked, 'document' | 'operationName'> & {
    readonly variableValues?: Asked['variables'];
    readonly contextValue: { readonly request: RequestView; readonly params: Params };
  };
  readonly setResultAndStopExecution: (result: ExecutionResult) => void;
}

/** A rule of the server on both ways; a rule without a plain side says why it needs none. */
export interface Layer {
  readonly full: Plugin;
  readonly plain: PlainSide | { readonly none: string };
}

/** Why a rule of validation has no plain side. */
export const sharedValidation = 'documents are validated by the full way on both ways';

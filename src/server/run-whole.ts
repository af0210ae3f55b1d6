import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';

/** Executes a query or a mutation whose answer comes in one piece; both ways of HTTP do it here. */
export const runWhole = (args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> =>
  execute({ ...args, options: { maxCoercionErrors } });

/** Errors of variables that are looked for and told. */
const maxCoercionErrors = 10;

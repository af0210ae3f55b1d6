import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';

/** Executes a query or a mutation whose response has one part; both paths use it. */
export const executeSingleResult = (
  args: ExecutionArgs,
): ExecutionResult | Promise<ExecutionResult> =>
  execute({ ...args, options: { maxCoercionErrors } });

/** Reported errors of variables. */
const maxCoercionErrors = 10;

/** Whether one of `types` stands in an `accept` header, just so; what weight it has there does not matter. */
export const accepts = (accept: string, types: readonly string[]): boolean =>
  accept.split(',').some((one) => types.includes(one.replace(/;.*$/, '').trim().toLowerCase()));

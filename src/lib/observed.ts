/** The same object, which calls `onCall` before each call of its methods and of those of its members. */
export function observed<T extends object>(target: T, onCall: () => void): T {
  return new Proxy(target, {
    get(_target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'function') {
        return (...args: readonly unknown[]): unknown => {
          onCall();
          return Reflect.apply(member, target, args);
        };
      }
      return typeof member === 'object' && member !== null ? observed(member, onCall) : member;
    },
  });
}

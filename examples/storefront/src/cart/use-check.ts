import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { account } from '../session/session.ts';
import { useStored } from '../shared/stored.ts';
import { cart } from './cart.ts';
import { type Check, checkCart, noCheck, textOf } from './check.ts';
import type { OrderDefaults } from './documents.ts';

/** A check costs the registrar three calls, so a change is left to stand first. */
const pauseMs = 400;

export interface CartCheck {
  readonly check: Check;
  /** Whether it is about the cart and the contact as they are now. */
  readonly isCurrent: boolean;
  /** Adds what a refused order found; the cart has its lines again. */
  refuse(found: Partial<Check>): void;
  /** Checks the same cart once more. */
  checkAgain(): void;
}

/** Has the gateway check the cart, again whenever the cart or the contact changes. `defaults`: null until they are known. */
export function useCheck(defaults: OrderDefaults | null): CartCheck {
  const client = useClient();
  const { lines } = useStored(cart);
  const [check, setCheck] = useState(noCheck);
  const isCurrent = check.of === textOf(lines, defaults);
  const delayMs = check.of === '' ? 0 : pauseMs;

  useEffect(() => {
    if (isCurrent || lines.length === 0 || account === null || defaults === null) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const found = await checkCart(client, lines, defaults);
      if (!isOver) setCheck(found);
    }, delayMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, lines, defaults, isCurrent, delayMs]);

  return {
    check,
    isCurrent,
    refuse: (found) =>
      setCheck({
        ...{ ...check, ...found, problem: found.problem ?? null },
        lines: new Map([...check.lines, ...(found.lines ?? [])]),
        of: textOf(cart.get().lines, defaults),
      }),
    checkAgain: () => setCheck({ ...check, of: '' }),
  };
}

import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { Fault } from '../../kernel/faults.ts';
import { Secret } from '../../kernel/secret.ts';
import { createLoginPause, isLoginRefused } from './login-pause.ts';

const refusal = new Fault('UPSTREAM_AUTH', { executed: 'UNKNOWN' });
const randomness = { uuid: () => '', fraction: () => 0.5 };

const loginOf = (password: string, username = 'acme') => ({
  username,
  password: new Secret(password),
});

/** A pause of 100 ms at first. */
function start() {
  const { clock, pass } = createSimulatedClock();
  let login = loginOf('old');
  const options = { clock, randomness, firstMs: 100, maxMs: 400 };
  const pause = createLoginPause({ ...options, login: () => login });
  const change = (to: typeof login) => {
    login = to;
  };
  const refuse = () => pause.leave(pause.enter(), refusal);
  return { pause, pass, change, refuse };
}

test.each<[code: Fault['code'], upstreamCode: string | null, isRefused: boolean]>([
  ['UPSTREAM_AUTH', null, true],
  ['UPSTREAM_AUTH', 'API_300_ERROR', true],
  ['UPSTREAM_AUTH', 'API_2200_ERROR', false],
  ['UPSTREAM_AUTH', 'API_2501_FAILURE', false],
  ['UPSTREAM_AUTH', 'INVALID_CREDINENTIALS', true],
  ['IP_NOT_ALLOWED', null, true],
  ['NOT_FOUND', 'API_300_ERROR', false],
])('the fault %s with the upstream code %s refuses the login: %s', (code, upstreamCode, is) => {
  const upstream = upstreamCode === null ? {} : { upstream: { code: upstreamCode, message: '' } };

  expect(isLoginRefused(new Fault(code, upstream))).toBe(is);
});

describe('a login that is refused in words', () => {
  const upstream = { code: 'INVALID_CREDINENTIALS', message: '' };
  const inWords = new Fault('UPSTREAM_AUTH', { upstream });
  const refuseIn = (words: Fault, times: number, pause: ReturnType<typeof start>['pause']) => {
    for (let at = 0; at < times; at += 1) pause.leave(pause.enter(), words);
    return pause.leftMs() > 0;
  };

  test('is used once more', () => {
    expect(refuseIn(inWords, 1, start().pause)).toBe(false);
    expect(refuseIn(inWords, 2, start().pause)).toBe(true);
    const byNumber = new Fault('UPSTREAM_AUTH', {
      upstream: { code: 'API_300_ERROR', message: '' },
    });
    expect(refuseIn(byNumber, 1, start().pause)).toBe(true);
  });

  test('is used once more after a reply that accepts it, and after a change', () => {
    const { pause, change } = start();
    refuseIn(inWords, 1, pause);
    pause.leave(pause.enter(), null);
    expect(refuseIn(inWords, 1, pause)).toBe(false);
    change(loginOf('new'));
    expect(refuseIn(inWords, 1, pause)).toBe(false);
    expect(refuseIn(inWords, 1, pause)).toBe(true);
  });
});

describe('a refused login', () => {
  test('is not used during the pause, with the fault that refused it', async () => {
    const { pause, pass, refuse } = start();
    expect(pause.leftMs()).toBe(0);
    pause.check();

    refuse();
    await pass(99);

    expect(pause.leftMs()).toBe(1);
    expect(() => pause.check()).toThrow(
      expect.objectContaining({ code: 'UPSTREAM_AUTH', executed: 'NO' }),
    );
    await pass(1);
    expect(pause.leftMs()).toBe(0);
    pause.check();
  });

  test('is used by one trial after the pause, which others do not repeat', async () => {
    const { pause, pass, refuse } = start();
    refuse();
    await pass(100);

    const trial = pause.enter();
    expect(trial.isTrial).toBe(true);
    expect(() => pause.check()).toThrow(expect.objectContaining({ code: 'UPSTREAM_AUTH' }));
    pause.leave(trial, null);

    pause.check();
    expect(pause.enter().isTrial).toBe(false);
  });

  test('is paused twice as long after a refused trial', async () => {
    const { pause, pass, refuse } = start();
    refuse();
    await pass(100);
    pause.leave(pause.enter(), new Fault('IP_NOT_ALLOWED'));

    expect(pause.leftMs()).toBe(200);
    expect(() => pause.check()).toThrow(expect.objectContaining({ code: 'IP_NOT_ALLOWED' }));
  });

  test('is tried again at once after a trial that shows nothing', async () => {
    const { pause, pass, refuse } = start();
    refuse();
    await pass(100);
    pause.leave(pause.enter(), undefined);

    pause.check();
    expect(pause.enter().isTrial).toBe(true);
  });

  test('is paused once for all attempts that were in flight', async () => {
    const { pause, pass } = start();
    const [one, two, three, four] = [pause.enter(), pause.enter(), pause.enter(), pause.enter()];
    pause.leave(one, refusal);
    await pass(40);

    pause.leave(two, new Fault('IP_NOT_ALLOWED'));
    pause.leave(three, null);
    pause.leave(four, undefined);

    expect(pause.leftMs()).toBe(60);
    expect(() => pause.check()).toThrow(expect.objectContaining({ code: 'UPSTREAM_AUTH' }));
  });
});

describe('a changed login', () => {
  test.each([
    ['password', loginOf('new')],
    ['username', loginOf('old', 'other')],
  ])('(%s) ends the pause at once, also when it is read first', (_, login) => {
    for (const read of ['check', 'leftMs', 'leave'] as const) {
      const { pause, change, refuse } = start();
      const early = pause.enter();
      refuse();
      change(login);

      if (read === 'leave') pause.leave(early, undefined);
      else pause[read]();
      change(loginOf('old'));

      expect(pause.leftMs()).toBe(0);
      pause.check();
    }
  });

  test('starts with the first pause when it is refused too', async () => {
    const { pause, pass, change, refuse } = start();
    refuse();
    await pass(100);
    refuse();
    change(loginOf('new'));
    refuse();

    expect(pause.leftMs()).toBe(100);
  });

  test('is not paused by a refusal of the login before, and not closed by its success', async () => {
    const { pause, pass, change, refuse } = start();
    const [early, other] = [pause.enter(), pause.enter()];
    change(loginOf('new'));
    pause.leave(early, refusal);
    expect(pause.leftMs()).toBe(0);

    refuse();
    await pass(100);
    pause.enter();
    pause.leave({ ...other, isTrial: true }, null);

    expect(() => pause.check()).toThrow(expect.objectContaining({ code: 'UPSTREAM_AUTH' }));
  });

  test('to an equal one changes nothing', () => {
    const { pause, change, refuse } = start();
    refuse();

    change(loginOf('old'));

    expect(pause.leftMs()).toBe(100);
  });
});

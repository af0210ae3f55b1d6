import { expect, test } from 'vitest';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { IdnRefusals } from './check.ts';

const [one, other, elsewhere, ascii] = ['ä.com', 'ö.com', 'ä.net', 'a.com'].map(parseDomainName);
const hourMs = 3_600_000;

function start() {
  let nowMs = 5_000;
  const refusals = new IdnRefusals({ monotonicMs: () => nowMs });
  const shown = () =>
    [one, other, elsewhere, ascii].map(
      (name) => name && [refusals.refuses(name), refusals.mayRefuse(name)],
    );
  return { refusals, shown, pass: (ms: number) => (nowMs += ms) };
}

const nothing = [false, false];
const learnt = { learn: [true, true], learnOmission: [false, true] };

test.each(['learn', 'learnOmission'] as const)(
  '%s is remembered for one hour, for names with non-ASCII letters under the same TLD',
  (how) => {
    const { refusals, shown, pass } = start();
    if (one) refusals[how](one);

    expect(shown()).toEqual([learnt[how], learnt[how], nothing, nothing]);
    pass(hourMs - 1);
    expect(shown()[0]).toEqual(learnt[how]);
    pass(1);
    expect(shown()).toEqual([nothing, nothing, nothing, nothing]);
  },
);

test('an omission does not replace a refusal, and neither concerns a name of ASCII letters', () => {
  const { refusals, shown } = start();
  if (ascii && one && other) {
    refusals.learn(ascii);
    refusals.learnOmission(ascii);
    expect(shown()[0]).toEqual(nothing);
    refusals.learn(one);
    refusals.learnOmission(other);
  }

  expect(shown()[0]).toEqual(learnt.learn);
});

import { expect, test } from 'vitest';
import { Admission } from '../../src/server/admission.ts';

/** An admission whose looks come when the test says so, each finding turns of the event loop of so many milliseconds. */
function startAdmission({ most, mostTurnMs = 2 }: { most?: number; mostTurnMs?: number } = {}) {
  let turnMs = 0;
  let wake = () => {};
  const clock = {
    wait: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
  };
  const admission = new Admission({ clock, loop: { turnMs: () => turnMs }, most, mostTurnMs });
  return {
    admission,
    /** Lets in all for whom there is room; how many are under way then. */
    fill(): number {
      let count = 0;
      for (; admission.hasRoom(false); count += 1) admission.enter(false);
      return count;
    },
    leave(count: number): void {
      for (let at = 0; at < count; at += 1) admission.leave(false);
    },
    async look(looks: number, ms: number): Promise<void> {
      turnMs = ms;
      for (let at = 0; at < looks; at += 1) {
        wake();
        // The look that was woken goes on in microtasks of its own.
        for (let turn = 0; turn < 5; turn += 1) await undefined;
      }
    },
  };
}

test('while the turns of the loop are too long less is let in, never less than 12', async () => {
  const { admission, fill, leave, look } = startAdmission();
  const first = fill();

  await look(100, 10);
  leave(first - 11);

  expect(first).toBe(64);
  expect(admission.hasRoom(false)).toBe(true);
  admission.enter(false);
  expect(admission.hasRoom(false)).toBe(false);
});

test('while they are short, and there is more to do than was let in, more is', async () => {
  const { fill, look } = startAdmission();
  let underWay = fill();

  for (let at = 0; at < 100; at += 1) {
    await look(1, 0.5);
    underWay += fill();
  }

  expect(underWay).toBe(512);
});

test('what was held short once has all its room again when the turns are short again', async () => {
  const { fill, leave, look } = startAdmission();
  const first = fill();
  await look(100, 10);
  leave(first);
  let underWay = fill();

  for (let at = 0; at < 200; at += 1) {
    await look(1, 0.5);
    underWay += fill();
  }

  expect(underWay).toBe(512);
});

test('one long turn is no reason', async () => {
  const { admission, fill, look } = startAdmission();
  const first = fill();

  await look(1, 6);
  await look(10, 0.5);

  expect(fill()).toBeGreaterThan(0);
  expect(first).toBe(64);
  expect(admission.hasRoom(false)).toBe(false);
});

test('with 0 as many are let in as come', () => {
  const { admission } = startAdmission({ mostTurnMs: 0 });

  for (let at = 0; at < 10_000; at += 1) admission.enter(false);

  expect(admission.hasRoom(false)).toBe(true);
});

test('who is urgent has places of its own', async () => {
  const { admission, fill, look } = startAdmission({ most: 2 });
  fill();
  await look(10, 100);

  expect(admission.hasRoom(false)).toBe(false);
  expect(admission.hasRoom(true)).toBe(true);
});

import { expect, test } from 'vitest';
import type { LoopLoad } from '../../src/kernel/clock.ts';
import { Admission } from '../../src/server/admission.ts';

/** An admission whose looks come when the test says so, each finding a loop that is as busy as the test says. */
function startAdmission({ most, mostTurnMs = 2 }: { most?: number; mostTurnMs?: number } = {}) {
  let load: LoopLoad = { turnMs: 0, busy: 0 };
  let wake = () => {};
  const clock = {
    wait: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
  };
  const admission = new Admission({ clock, loop: () => load, most, mostTurnMs });
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
    async look(looks: number, turnMs: number, busy = 0.9): Promise<void> {
      load = { turnMs, busy };
      for (let at = 0; at < looks; at += 1) {
        wake();
        // The look that was woken goes on in microtasks of its own.
        for (let turn = 0; turn < 5; turn += 1) await undefined;
      }
    },
  };
}

test('while turns are too long and leave no time between them less is let in, never less than 12', async () => {
  const { admission, fill, leave, look } = startAdmission();
  const first = fill();

  await look(300, 10);
  leave(first - 11);

  expect(first).toBe(64);
  expect(admission.hasRoom(false)).toBe(true);
  admission.enter(false);
  expect(admission.hasRoom(false)).toBe(false);
});

test('while they are short, and there is more to do than was let in, more is', async () => {
  const { fill, look } = startAdmission();
  let underWay = fill();

  for (let at = 0; at < 200; at += 1) {
    await look(1, 0.5, 0.2);
    underWay += fill();
  }

  expect(underWay).toBe(512);
});

test('turns may be as long as they like where there is time between them', async () => {
  const { fill, look } = startAdmission();
  let underWay = fill();

  for (let at = 0; at < 200; at += 1) {
    await look(1, 50, 0.2);
    underWay += fill();
  }

  expect(underWay).toBe(512);
});

test('where there is only some time between long ones the bound stays', async () => {
  const { admission, fill, leave, look } = startAdmission();
  const first = fill();

  await look(200, 10, 0.55);
  leave(1);

  expect(first).toBe(64);
  expect(fill()).toBe(1);
  expect(admission.hasRoom(false)).toBe(false);
});

test('less is let in step by step: each shows only when those have left who were there before', async () => {
  const { fill, leave, look } = startAdmission();
  const first = fill();
  await look(3, 10);
  await look(20, 10);
  leave(first);

  const second = fill();
  await look(1, 10);
  leave(second);
  const third = fill();

  expect(second).toBe(Math.ceil(64 * 0.7));
  expect(third).toBe(Math.ceil(64 * 0.7 * 0.7));
});

test('what was held short once has all its room again when the turns are short again', async () => {
  const { fill, leave, look } = startAdmission();
  const first = fill();
  await look(100, 10);
  leave(first);
  let underWay = fill();

  for (let at = 0; at < 300; at += 1) {
    await look(1, 0.5, 0.2);
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

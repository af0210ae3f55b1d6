import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
const ticks = () => { const s = readFileSync('/proc/self/stat','utf8'); const f = s.slice(s.lastIndexOf(')')+2).split(' '); return { own: (Number(f[11])+Number(f[12]))/100, children: (Number(f[13])+Number(f[14]))/100 }; };
const state = expect.getState().testPath;
const g = globalThis as any;
const before = g.__cpuEnd ?? { own: 0, children: 0 };
const t0 = Date.now();
afterAll(() => { const now = ticks(); g.__cpuEnd = now; appendFileSync(process.env.CPU_OUT ?? '/tmp/tests/cpu.txt', JSON.stringify({ file: expect.getState().testPath ?? state, own: now.own-before.own, children: now.children-before.children, wall: Date.now()-t0 })+'\n'); });

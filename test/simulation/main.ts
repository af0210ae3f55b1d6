import { createSharedStore } from './store.ts';
import { simulate } from './simulate.ts';
const store = await createSharedStore();
const n = Number(process.argv[2] ?? 10);
const from = Number(process.argv[3] ?? 1);
const t0 = performance.now();
const counts = new Map<string, number>();
let bad = 0;
for (let s = from; s < from + n; s++) {
  const o = await simulate(s, store, n === 1);
  for (const [k, v] of o.counts) counts.set(k, (counts.get(k) ?? 0) + v);
  if (n === 1) console.log(o.lines.join('\n'));
  if (o.violations.length) { bad++; console.log(s, o.violations); if (bad > 5) break; }
}
console.log([...counts].sort().map(([k, v]) => `${k}=${v}`).join(' '));
console.log((performance.now() - t0) / n, 'ms each');

/** One figure of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All figures at one moment. */
export interface Scrape {
  readonly atMs: number;
  readonly samples: readonly Sample[];
}

const sampleLine = /^(\w+)(?:\{(.*)\})? (\S+)$/gm;
const labelPair = /(\w+)="([^"]*)"/g;

export const readScrape = (atMs: number, text: string): Scrape => ({
  atMs,
  samples: [...text.matchAll(sampleLine)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(labelPair)].map(([, key, one]) => [key, one])),
    value: Number(value),
  })),
});

type Vector = readonly Omit<Sample, 'name'>[];

/**
 * As much of PromQL as the dashboard speaks: `sum`, `max` and `min`, `rate`, `histogram_quantile`, `time()`, `/` and `-`.
 * A rate is what was counted between the first and the last scrape of its range, over the time between them.
 */
export function evaluate(expression: string, scrapes: readonly Scrape[]): Vector {
  const tokens = expression.match(/\w+(?:\.\d+)?|"[^"]*"|=~|!=|[-/(){}[\],=]/g) ?? [];
  const latest = scrapes.at(-1);
  let at = 0;
  const peek = () => tokens[at];
  const take = () => tokens[at++] ?? '';
  const expect = (token: string) => {
    if (take() !== token) throw new Error(`"${token}" is missing in: ${expression}`);
  };

  function list(): readonly string[] {
    const names: string[] = [];
    expect('(');
    for (let name = take(); name !== ')'; name = take()) if (name !== ',') names.push(name);
    return names;
  }

  function selector(name: string): (scrape: Scrape) => Vector {
    const matchers: ((labels: Sample['labels']) => boolean)[] = [];
    if (peek() === '{') {
      for (take(); peek() !== '}'; ) {
        const label = take();
        const operator = take();
        const text = take().slice(1, -1);
        if (peek() === ',') take();
        const pattern = new RegExp(`^(?:${text})$`);
        matchers.push((labels) => {
          const value = labels[label] ?? '';
          if (operator === '=~') return pattern.test(value);
          return operator === '=' ? value === text : value !== text;
        });
      }
      take();
    }
    return ({ samples }) =>
      samples.filter((one) => one.name === name && matchers.every((fits) => fits(one.labels)));
  }

  function rate(): Vector {
    expect('(');
    const select = selector(take());
    expect('[');
    const rangeMs = Number.parseInt(take(), 10) * 60_000;
    expect(']');
    expect(')');
    const first = scrapes.find(({ atMs }) => latest && atMs >= latest.atMs - rangeMs);
    if (!first || !latest || first === latest) return [];
    const before = new Map(select(first).map((one) => [keyOf(one.labels), one.value]));
    const seconds = (latest.atMs - first.atMs) / 1000;
    return select(latest).map(({ labels, value }) => ({
      labels,
      value: (value - (before.get(keyOf(labels)) ?? 0)) / seconds,
    }));
  }

  function aggregate(name: 'sum' | 'max' | 'min'): Vector {
    let by: readonly string[] = [];
    if (peek() === 'by') {
      take();
      by = list();
    }
    expect('(');
    const inner = whole();
    expect(')');
    return gather(inner, by, (values) =>
      name === 'sum' ? values.reduce((all, one) => all + one, 0) : Math[name](...values),
    );
  }

  function quantile(): Vector {
    expect('(');
    const share = Number(take());
    expect(',');
    const buckets = whole();
    expect(')');
    const groups = Map.groupBy(buckets, ({ labels: { le: _le, ...rest } }) => keyOf(rest));
    return [...groups.values()].map((some) => {
      const { le: _le, ...labels } = some[0]?.labels ?? {};
      return { labels, value: quantileOf(share, some) };
    });
  }

  function term(): Vector {
    const name = take();
    switch (name) {
      case 'sum':
      case 'max':
      case 'min':
        return aggregate(name);
      case 'rate':
        return rate();
      case 'histogram_quantile':
        return quantile();
      case 'time':
        list();
        return [{ labels: {}, value: (latest?.atMs ?? 0) / 1000 }];
      default: {
        const select = selector(name);
        return latest ? select(latest) : [];
      }
    }
  }

  function whole(): Vector {
    let left = term();
    for (let sign = peek(); sign === '/' || sign === '-'; sign = peek()) {
      take();
      const right = term();
      const calculate = sign === '/' ? over : minus;
      left = right.flatMap(({ labels, value }) =>
        left.slice(0, 1).map((one) => ({ labels, value: calculate(one.value, value) })),
      );
    }
    return left;
  }

  return whole().filter(({ value }) => Number.isFinite(value));
}

const over = (left: number, right: number) => left / right;
const minus = (left: number, right: number) => left - right;

const keyOf = (labels: Sample['labels']) => JSON.stringify(Object.entries(labels).sort());

function gather(
  vector: Vector,
  by: readonly string[],
  fold: (values: readonly number[]) => number,
): Vector {
  const kept = (labels: Sample['labels']) =>
    Object.fromEntries(by.map((name) => [name, labels[name] ?? '']));
  const groups = Map.groupBy(vector, ({ labels }) => keyOf(kept(labels)));
  return [...groups.values()].map((some) => ({
    labels: kept(some[0]?.labels ?? {}),
    value: fold(some.map(({ value }) => value)),
  }));
}

/** Between the bounds of the bucket that it falls into, evenly. */
function quantileOf(share: number, buckets: Vector): number {
  const sorted = buckets
    .map(({ labels, value }) => ({ bound: Number(labels.le?.replace('+Inf', 'Infinity')), value }))
    .sort((one, other) => one.bound - other.bound);
  const wanted = share * (sorted.at(-1)?.value ?? 0);
  if (!(wanted > 0)) return Number.NaN;
  let [low, below] = [0, 0];
  for (const { bound, value } of sorted) {
    if (value >= wanted) {
      if (bound === Infinity) return low;
      return low + ((bound - low) * (wanted - below)) / (value - below);
    }
    [low, below] = [bound, value];
  }
  return Number.NaN;
}

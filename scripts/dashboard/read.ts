/** A panel of a Grafana dashboard, as far as it is of interest here. */
export interface Panel {
  readonly type: string;
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

export interface Dashboard {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export const readDashboard = (text: string): Dashboard => JSON.parse(text);

export const expressionsOf = ({ panels }: Dashboard): readonly string[] =>
  panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** A metric in an expression, with the labels that are asked of it or that it is gathered by. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

const selector = /\b((?:reseller_graph|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;

export function selectorsOf(expression: string): readonly Selector[] {
  const gathered = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  return [...expression.matchAll(selector)].map(([, metric = '', matchers = '']) => ({
    metric,
    labels: [
      ...[...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
      ...gathered,
    ],
  }));
}

/** A step of a plan, as far as it is shown. */
export interface PlanStep {
  /** For example `Index Scan on people using people_pkey`. */
  title: string;
  /** What it goes by, for example `Index Cond: (id = 1)`. */
  conditions: string[];
  /** Rows that the server expected. */
  expected: number;
  /** Rows that there were, in all rounds; undefined where it was not run. */
  actual: number | undefined;
  /** Of the whole plan's time, or cost where it was not run: its own, without the steps below it; 0 to 1. */
  share: number;
  /** Milliseconds of its own; undefined where it was not run. */
  milliseconds: number | undefined;
  steps: PlanStep[];
}

type Node = Record<string, unknown> & { Plans?: Node[] };

const CONDITIONS = [
  'Index Cond',
  'Recheck Cond',
  'Hash Cond',
  'Merge Cond',
  'Join Filter',
  'Filter',
  'Sort Key',
  'Group Key',
];

const numberOf = (node: Node, key: string) => (typeof node[key] === 'number' ? (node[key] as number) : 0);

/** Of a node with all below it: milliseconds where it was run, else cost. */
function totalOf(node: Node): number {
  if ('Actual Total Time' in node)
    return numberOf(node, 'Actual Total Time') * Math.max(numberOf(node, 'Actual Loops'), 1);
  return numberOf(node, 'Total Cost');
}

function titleOf(node: Node): string {
  const relation = node['Relation Name'] ?? node['CTE Name'] ?? node['Function Name'];
  const index = node['Index Name'];
  return [node['Node Type'], relation && `on ${relation}`, index && `using ${index}`]
    .filter(Boolean)
    .join(' ');
}

function stepOf(node: Node, whole: number): PlanStep {
  const below = node.Plans ?? [];
  const own = Math.max(totalOf(node) - below.reduce((sum, one) => sum + totalOf(one), 0), 0);
  const wasRun = 'Actual Rows' in node;
  const loops = Math.max(numberOf(node, 'Actual Loops'), 1);
  return {
    title: titleOf(node),
    conditions: CONDITIONS.filter((key) => key in node).map(
      (key) => `${key}: ${[node[key]].flat().join(', ')}`,
    ),
    expected: numberOf(node, 'Plan Rows'),
    actual: wasRun ? Math.round(numberOf(node, 'Actual Rows') * loops) : undefined,
    share: whole > 0 ? Math.min(own / whole, 1) : 0,
    milliseconds: wasRun ? own : undefined,
    steps: below.map((one) => stepOf(one, whole)),
  };
}

/** Reads what `explain (format json)` answers. */
export function planOf(json: string): PlanStep {
  const [{ Plan }] = JSON.parse(json) as [{ Plan: Node }];
  return stepOf(Plan, totalOf(Plan));
}

/** The plan as text, as `psql` would show it. */
export function planText(step: PlanStep, depth = 0): string {
  const indent = '  '.repeat(depth);
  const rows =
    step.actual === undefined ? `rows=${step.expected}` : `rows=${step.expected} actual=${step.actual}`;
  const time = step.milliseconds === undefined ? '' : ` time=${step.milliseconds.toFixed(3)} ms`;
  const lines = [
    `${indent}${depth > 0 ? '-> ' : ''}${step.title} (${rows}${time})`,
    ...step.conditions.map((condition) => `${indent}     ${condition}`),
    ...step.steps.map((one) => planText(one, depth + 1)),
  ];
  return lines.join('\n');
}

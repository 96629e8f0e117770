import { CodeBlock } from '../../ui/code-block.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs.tsx';
import { type PlanStep, planOf, planText } from './plan.ts';

const count = (rows: number) => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;

/** How the server runs a statement: each step with its share of the whole, and the same as text. */
export function PlanView({ plan }: { plan: string }) {
  const root = planOf(plan);
  return (
    <Tabs defaultValue="picture">
      <TabsList aria-label="Plan">
        <TabsTrigger value="picture">Plan</TabsTrigger>
        <TabsTrigger value="text">Text</TabsTrigger>
      </TabsList>
      <TabsContent value="picture" className="overflow-x-auto pt-4">
        <ol>
          <Step step={root} />
        </ol>
      </TabsContent>
      <TabsContent value="text" className="pt-4">
        <CodeBlock code={planText(root)} label="Plan as text" />
      </TabsContent>
    </Tabs>
  );
}

function Step({ step }: { step: PlanStep }) {
  const { title, conditions, expected, actual, share, milliseconds, steps } = step;
  const percent = Math.round(share * 100);
  return (
    <li className="min-w-64">
      <div className="relative mb-2 overflow-hidden rounded-lg border border-line bg-surface px-3 py-2">
        <div
          aria-hidden="true"
          className="absolute inset-y-0 left-0 bg-accent-soft"
          style={{ width: `${percent}%` }}
        />
        <div className="relative">
          <p className="flex flex-wrap justify-between gap-x-4 font-medium">
            <span>{title}</span>
            <span className="text-muted">
              {percent}% {milliseconds === undefined ? 'of the cost' : `· ${milliseconds.toFixed(2)} ms`}
            </span>
          </p>
          <p className="text-muted text-sm">
            {actual === undefined
              ? `Expected ${count(expected)}`
              : `${count(actual)}, expected ${count(expected)}`}
          </p>
          {conditions.map((condition) => (
            <code key={condition} className="block break-words text-muted text-sm">
              {condition}
            </code>
          ))}
        </div>
      </div>
      {steps.length > 0 && (
        <ol className="ml-3 border-line border-l pl-3">
          {steps.map((one, place) => (
            // Steps have no names of their own, and never change.
            <Step key={place} step={one} />
          ))}
        </ol>
      )}
    </li>
  );
}

import type { Outputs, StatementResult } from '@nephos/contracts';
import { getRouteApi } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useNeed, useRefusal } from '../../lib/use-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { PlanView } from './plan-view.tsx';
import { ResultView } from './result-view.tsx';
import type { SqlEditorHandle } from './sql-editor.tsx';
import { StatementHistory } from './statement-history.tsx';

const route = getRouteApi('/_console/databases/$databaseId/sql');

const SqlEditor = lazy(() => import('./sql-editor.tsx'));

/** What was asked last, and what came of it. */
type Answer =
  | { kind: 'result'; sql: string; result: StatementResult }
  | { kind: 'plan'; plan: string; error: Outputs['databaseContents']['explain']['error'] };

/** Statements at a database, as its own user. */
export function SqlPage() {
  const { databaseId: id } = route.useParams();
  const refusal = useRefusal('secrets');
  if (refusal) return <Notice tone="warning" title={refusal} />;
  return <Console key={id} id={id} />;
}

function Console({ id }: { id: string }) {
  const editor = useRef<SqlEditorHandle>(null);
  const [write, setWrite] = useState(false);
  const { answer, running, refusal, run, explain, cancel, from } = useStatements(id, write);
  const need = useNeed('build');
  const { data: tables = [] } = trpc.databaseContents.tables.useQuery({ id }, { staleTime: 0 });
  const ask = (how: typeof run) => {
    const statement = editor.current?.statement();
    if (statement?.sql.trim() && !running) how(statement);
  };
  return (
    <div className="flex flex-col gap-5">
      <Suspense fallback={<Skeleton className="h-36" />}>
        <SqlEditor ref={editor} tables={tables} onRun={() => ask(run)} />
      </Suspense>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button variant="primary" pending={running} onClick={() => ask(run)} {...need}>
          <Play aria-hidden="true" />
          Run
        </Button>
        {running ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : (
          <>
            <Button onClick={() => ask((statement) => explain(statement, false))} {...need}>
              Explain
            </Button>
            <Button onClick={() => ask((statement) => explain(statement, true))} {...need}>
              Analyze
            </Button>
          </>
        )}
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch is a button within it */}
        <label className="flex items-center gap-2">
          <Switch checked={write} onCheckedChange={setWrite} />
          Allow changes
        </label>
        <span className="text-faint text-sm">
          Runs the statement at the cursor, or the selection: <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
        </span>
      </div>
      {refusal && <Notice tone="danger" title={refusal} />}
      {answer && !running && (
        <AnswerView
          answer={answer}
          write={write}
          onPosition={(place) => editor.current?.select(from + place - 1)}
        />
      )}
      <StatementHistory id={id} onUse={(text) => editor.current?.replace(text)} />
    </div>
  );
}

interface Statement {
  sql: string;
  /** Its place in the editor's text. */
  from: number;
}

/** Runs, explains and cancels. */
function useStatements(id: string, write: boolean) {
  const utils = trpc.useUtils();
  const [answer, setAnswer] = useState<Answer>();
  const asked = useRef<Statement & { runId: string }>({ sql: '', from: 0, runId: '' });
  const failure = 'Failed to run the statement';
  const run = useAction(trpc.databaseContents.run.useMutation(), {
    ...{ failure, serverSpeaks: true },
    refresh: [utils.databaseContents.statements, utils.databaseContents.tables],
    onDone: (result) => setAnswer({ kind: 'result', sql: asked.current.sql, result }),
  });
  const explain = useAction(trpc.databaseContents.explain.useMutation(), {
    ...{ failure, serverSpeaks: true },
    onDone: ({ plan, error }) => setAnswer({ kind: 'plan', plan, error }),
  });
  const cancel = useAction(trpc.databaseContents.cancel.useMutation(), {
    failure: 'Failed to cancel the statement',
    serverSpeaks: true,
  });
  function begin(statement: Statement) {
    asked.current = { ...statement, runId: crypto.randomUUID() };
    setAnswer(undefined);
    return { id, sql: statement.sql, runId: asked.current.runId };
  }
  return {
    answer,
    from: asked.current.from,
    running: run.pending || explain.pending,
    refusal: run.refusal ?? explain.refusal,
    run: (statement: Statement) => run.run({ ...begin(statement), write }),
    explain: (statement: Statement, analyze: boolean) => explain.run({ ...begin(statement), analyze }),
    cancel: () => cancel.run({ id, runId: asked.current.runId }),
  };
}

interface AnswerViewProps {
  answer: Answer;
  write: boolean;
  /** Shows where in the statement it went wrong. */
  onPosition: (place: number) => void;
}

const READ_ONLY = '25006';

function AnswerView({ answer, write, onPosition }: AnswerViewProps) {
  const error = answer.kind === 'plan' ? answer.error : answer.result.error;
  if (!error) {
    return answer.kind === 'plan' ? <PlanView plan={answer.plan} /> : <ResultView result={answer.result} />;
  }
  const { message, detail, hint, position, sqlState } = error;
  const refusedWrite = sqlState === READ_ONLY && !write && answer.kind === 'result';
  return (
    <Notice
      tone="danger"
      title={message}
      action={
        position !== null && (
          <Button size="sm" onClick={() => onPosition(position)}>
            Go to error
          </Button>
        )
      }
    >
      {(detail || hint || refusedWrite) && (
        <p>
          {[detail, hint, refusedWrite && 'Turn on "Allow changes" to run it.'].filter(Boolean).join(' ')}
        </p>
      )}
    </Notice>
  );
}

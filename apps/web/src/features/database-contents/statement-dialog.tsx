import { useState } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import type { TableName } from './structure-view.tsx';

interface StatementDialogProps {
  name: TableName;
  title: string;
  /** The verb on the button. */
  label: string;
  /** Toast of success. */
  done: string;
  statement: string;
  onClose: () => void;
  /** After success. */
  onDone?: () => void;
}

/** The statement that changes a row, before it runs. */
export function StatementDialog({
  name,
  title,
  label,
  done,
  statement,
  onClose,
  onDone,
}: StatementDialogProps) {
  const utils = trpc.useUtils();
  const [refusal, setRefusal] = useState<string>();
  const run = useAction(trpc.databaseContents.run.useMutation(), {
    failure: 'Failed to run the statement',
    serverSpeaks: true,
    refresh: [utils.databaseContents.rows, utils.databaseContents.tables],
    onDone: ({ error, command }) => {
      if (error) return setRefusal([error.message, error.detail, error.hint].filter(Boolean).join(' '));
      if (command.endsWith(' 0')) {
        return setRefusal('The row was changed or deleted meanwhile. Close this and look at it again.');
      }
      toast({ title: done });
      onClose();
      onDone?.();
    },
  });
  return (
    <FormDialog
      title={title}
      description="This statement runs as the database's user."
      wide
      label={label}
      ready
      action={{ ...run, refusal: refusal ?? run.refusal }}
      onSubmit={() => {
        setRefusal(undefined);
        run.run({ id: name.id, sql: statement, write: true });
      }}
      onClose={onClose}
    >
      <CodeBlock code={statement} label="Statement" wrap />
    </FormDialog>
  );
}

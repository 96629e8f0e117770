import type { UseMutationResult } from '@tanstack/react-query';
import { toast } from '../ui/toast.ts';
import { useShown } from '../ui/use-shown.ts';
import {
  absenceOf,
  type CallError,
  type FieldErrors,
  fieldErrorsOf,
  isCancelled,
  isForbidden,
  isUnauthorized,
  sentenceOf,
} from './errors.ts';
import { sendToLogin } from './send-to-login.ts';
import { useWriteRefusal } from './use-refusal.ts';

/** What `useMutation` gives, as far as an action needs it. */
export type Mutation<Input, Output> = Pick<
  UseMutationResult<Output, CallError, Input>,
  'mutateAsync' | 'isPending' | 'error' | 'reset'
> & {
  /** Which write of the contract it is; given by tRPC. */
  trpc?: { path: string };
};

interface Refreshable {
  invalidate(): Promise<void>;
}

export interface ActionOptions<Output> {
  /** Toast of success. */
  success?: string;
  /** Text of the failure toast, whose title is 'Error'. */
  failure: string;
  /** Lets the failure toast say what the server says, and `failure` only where it says nothing. */
  serverSpeaks?: boolean;
  /** The queries that the write made old; each is fetched again. */
  refresh?: readonly Refreshable[];
  /** After success, whatever is shown by then. */
  onDone?: (output: Output) => void;
  /**
   * After success, while what asked for the write is still shown: closes its dialog, leads elsewhere. Who left it may
   * have opened another by then.
   */
  leave?: (output: Output) => void;
}

export interface Action<Input> {
  /** Begins the write. `done` is called after its success, for example to close the dialog that asked for it. */
  run: (input: Input, done?: () => void) => void;
  pending: boolean;
  /** What the server found wrong, by field of the input. */
  fields: FieldErrors;
  /** The server's sentence about a refusal that no field explains. */
  refusal: string | undefined;
  /** Why the person's role in the workspace does not hold it: it need not be offered. */
  forbidden: string | undefined;
  /** For the button that begins it. */
  button: { pending: boolean; reason?: string };
  /** Forgets the last refusal. */
  reset: () => void;
}

/**
 * Everything around a write: the toasts, the way to the login page when the session is over, and fetching again what
 * it changed. What the person cancelled ends without a word. Made over the mutation, as in
 * `useAction(trpc.projects.create.useMutation(), { … })`.
 */
export function useAction<Input, Output>(
  mutation: Mutation<Input, Output>,
  { success, failure, serverSpeaks = false, refresh = [], onDone, leave }: ActionOptions<Output>,
): Action<Input> {
  const shown = useShown();
  const forbidden = useWriteRefusal(mutation.trpc?.path);

  function succeeded(output: Output) {
    for (const query of refresh) void query.invalidate();
    if (success) toast({ title: success });
    onDone?.(output);
    if (shown.current) leave?.(output);
  }

  function failed(error: CallError) {
    if (isCancelled(error)) return mutation.reset();
    if (isUnauthorized(error)) return sendToLogin();
    const description = serverSpeaks || isForbidden(error) ? sentenceOf(error, failure) : failure;
    toast({ title: 'Error', description, detail: absenceOf(error), variant: 'destructive' });
  }

  const fields = fieldErrorsOf(mutation.error);
  const explained = Object.keys(fields).length > 0;
  return {
    // Not by the mutation's own callbacks: those are dropped when the component is gone before the answer.
    run: (input, done) =>
      void mutation.mutateAsync(input).then((output) => {
        succeeded(output);
        done?.();
      }, failed),
    pending: mutation.isPending,
    fields,
    refusal:
      mutation.error && !explained && !isUnauthorized(mutation.error)
        ? (absenceOf(mutation.error) ?? sentenceOf(mutation.error, failure))
        : undefined,
    forbidden,
    button: { pending: mutation.isPending, ...(forbidden && { reason: forbidden }) },
    reset: mutation.reset,
  };
}

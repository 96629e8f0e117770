import { MAX_ASSISTANT_MESSAGE } from '@nephos/contracts/constants';
import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { useAssistant } from '../../shell/assistant-context.tsx';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import type { Conversation } from './use-conversation.ts';

const COUNT = new Intl.NumberFormat('en');

/** Where the person types. Enter sends, Shift+Enter makes a line, and neither while an answer is being written. */
export function Composer({ conversation }: { conversation: Conversation }) {
  const { draft, write, refusal, busy, send } = conversation;
  const { asked, sessionId, starting } = useAssistant();
  const field = useRef<HTMLTextAreaElement>(null);
  const length = draft.trim().length;
  const ready = !busy && sessionId !== null && length > 0 && length <= MAX_ASSISTANT_MESSAGE;
  const problem = length > MAX_ASSISTANT_MESSAGE ? tooLong(length) : refusal;

  // biome-ignore lint/correctness/useExhaustiveDependencies: with each wish to type
  useEffect(() => field.current?.focus(), [asked]);

  function submit(event?: SubmitEvent) {
    event?.preventDefault();
    if (ready) send(draft);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    submit();
  }

  return (
    <form onSubmit={submit}>
      <div className="flex items-end gap-2">
        <Textarea
          ref={field}
          aria-label="Message"
          aria-describedby="assistant-problem"
          aria-invalid={problem ? true : undefined}
          placeholder="Ask a question…"
          rows={1}
          value={draft}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-48 min-h-9 resize-none! py-1.5!"
        />
        {busy ? (
          <StopButton conversation={conversation} onStop={() => field.current?.focus()} />
        ) : (
          <Button type="submit" variant="primary" disabled={!ready} pending={starting}>
            {!starting && <ArrowUp aria-hidden="true" />}
            Send
          </Button>
        )}
      </div>
      <p id="assistant-problem" role="alert" className="mt-1.5 text-danger text-sm empty:hidden">
        {problem}
      </p>
    </form>
  );
}

function tooLong(length: number): string {
  return `A message has at most ${COUNT.format(MAX_ASSISTANT_MESSAGE)} characters, and this one ${COUNT.format(length)}.`;
}

/** Whether the key belongs to an input method, whose Enter ends a word. Safari says it by the code alone. */
function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229;
}

/** Takes the place of Send while an answer is being written. */
function StopButton({ conversation, onStop }: { conversation: Conversation; onStop: () => void }) {
  const { sessionId } = useAssistant();
  const stop = useAction(trpc.assistant.stop.useMutation(), { failure: 'Failed to stop the answer' });

  function onClick() {
    if (sessionId !== null) stop.run({ id: sessionId });
    onStop();
  }

  return (
    <Button onClick={onClick} disabled={!conversation.stoppable} pending={stop.pending}>
      {!stop.pending && <Square aria-hidden="true" />}
      Stop
    </Button>
  );
}

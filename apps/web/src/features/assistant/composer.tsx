import { MAX_ASSISTANT_MESSAGE } from '@nephos/contracts/constants';
import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef } from 'react';
import { trpc } from '../../lib/trpc.ts';
import { useAction } from '../../lib/use-action.ts';
import { useAssistant } from '../../shell/assistant-context.tsx';
import { useMobile } from '../../shell/use-media.ts';
import { Button } from '../../ui/button.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import type { Conversation } from './use-conversation.ts';

const COUNT = new Intl.NumberFormat('en');

/** Where the person types. Enter sends, Shift+Enter makes a line, and neither while an answer is being written. */
export function Composer({ conversation }: { conversation: Conversation }) {
  const { draft, write, refusal, busy, send } = conversation;
  const { sessionId } = useAssistant();
  const field = useFocusedField(conversation.turn);
  const length = draft.trim().length;
  const ready = !busy && sessionId !== null && length > 0 && length <= MAX_ASSISTANT_MESSAGE;
  const problem = length > MAX_ASSISTANT_MESSAGE ? tooLong(length) : refusal;

  function submit(event: SubmitEvent | KeyboardEvent) {
    event.preventDefault();
    if (ready) send(draft);
    field.current?.focus();
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
          onKeyDown={(event) => isSending(event) && submit(event)}
          className="field-sizing-content max-h-48 min-h-9 resize-none! py-1.5!"
        />
        {busy && <StopButton conversation={conversation} onStop={() => field.current?.focus()} />}
        {!busy && <SendButton ready={ready} />}
      </div>
      <p id="assistant-problem" role="alert" className="mt-1.5 text-danger text-sm empty:hidden">
        {problem}
      </p>
    </form>
  );
}

/** The field, which has the focus with each wish to type. */
function useFocusedField(turn: string) {
  const { asked, subject } = useAssistant();
  const mobile = useMobile();
  const field = useRef<HTMLTextAreaElement>(null);

  // Not after a reload, which nobody did to type.
  useEffect(() => {
    if (asked > 0) field.current?.focus();
  }, [asked]);

  // What was pressed, such as a suggested question, may have gone, and the focus with it. A phone would show its keys.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each question, and each change of what it is about
  useEffect(() => {
    if (asked > 0 && !mobile && document.activeElement === document.body) field.current?.focus();
  }, [turn, subject]);

  return field;
}

/** Whether a key sends: Enter, unless it belongs to an input method, whose Enter ends a word. */
function isSending({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  // Safari says it by the code alone.
  const composing = nativeEvent.isComposing || nativeEvent.keyCode === 229;
  return key === 'Enter' && !shiftKey && !composing;
}

function SendButton({ ready }: { ready: boolean }) {
  const { starting } = useAssistant();
  return (
    <Button type="submit" variant="primary" disabled={!ready} pending={starting}>
      {!starting && <ArrowUp aria-hidden="true" />}
      Send
    </Button>
  );
}

function tooLong(length: number): string {
  return `Message is too long: ${COUNT.format(length)} of ${COUNT.format(MAX_ASSISTANT_MESSAGE)} characters.`;
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

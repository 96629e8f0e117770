import { useAssistant } from '../../shell/assistant-context.tsx';
import { SCOPES } from './scopes.ts';

/** What an empty conversation shows: what one can ask about, and questions to begin with. */
export function Suggestions({ onAsk }: { onAsk: (question: string) => void }) {
  const { scope } = useAssistant();
  const { about, suggestions } = SCOPES[scope];
  return (
    <div className="my-auto flex flex-col items-center gap-5 py-6 text-center">
      <p className="max-w-sm text-balance text-muted">{about}</p>
      <ul aria-label="Suggested questions" className="flex w-full max-w-sm flex-col gap-2">
        {suggestions.map((question) => (
          <li key={question}>
            <button
              type="button"
              onClick={() => onAsk(question)}
              className="w-full rounded-lg border border-line-strong px-3.5 py-2.5 text-left transition-colors hover:bg-hover"
            >
              {question}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

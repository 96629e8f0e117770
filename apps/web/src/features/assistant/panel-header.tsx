import { History, SquarePen, X } from 'lucide-react';
import { useAssistant } from '../../shell/assistant-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

export interface PanelHeaderProps {
  /** Whether the conversation has no message, so that another one would be no other. */
  fresh: boolean;
  /** Whether past conversations are shown. */
  past: boolean;
  onPast: () => void;
}

export function PanelHeader({ fresh, past, onPast }: PanelHeaderProps) {
  const { close, show, startSession, starting } = useAssistant();
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-line border-b pr-2 pl-4">
      <h2 className="mr-auto font-semibold text-lg">AI Assistant</h2>
      <Tooltip content="New chat" side="bottom">
        <IconButton label="New chat" disabled={starting} onClick={() => (fresh ? show() : startSession())}>
          <SquarePen />
        </IconButton>
      </Tooltip>
      <Tooltip content="Past conversations" side="bottom">
        <IconButton label="Past conversations" aria-pressed={past} onClick={onPast}>
          <History />
        </IconButton>
      </Tooltip>
      <IconButton label="Close" onClick={close}>
        <X />
      </IconButton>
    </header>
  );
}

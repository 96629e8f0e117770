import { Sparkles } from 'lucide-react';
import { IconButton } from '../ui/icon-button.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useAssistant } from './assistant-context.tsx';
import { preloadPanel } from './assistant-place.tsx';
import { useAskAssistant } from './use-ask-assistant.ts';

/** The header's way to the assistant, and back. */
export function HeaderAssistant() {
  const { open, close } = useAssistant();
  const ask = useAskAssistant();
  return (
    <Tooltip content="Ask the assistant" side="bottom">
      <IconButton
        label="Ask the assistant"
        aria-expanded={open}
        onClick={open ? close : ask}
        onPointerEnter={preloadPanel}
        onFocus={preloadPanel}
      >
        <Sparkles />
      </IconButton>
    </Tooltip>
  );
}

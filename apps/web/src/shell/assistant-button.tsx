import type { AssistantScope } from '@nephos/contracts';
import { Sparkles } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { SUBJECT_KINDS, useAssistant } from './assistant-context.tsx';

export interface AssistantButtonProps {
  scope: AssistantScope;
  /** Id of the database, image or project that the page is about. */
  resourceId?: string;
}

/** Opens the assistant's panel for the page's kind of resources. */
export function AssistantButton({ scope, resourceId }: AssistantButtonProps) {
  const { open, show, preload } = useAssistant();
  const subject = resourceId === undefined ? null : { kind: SUBJECT_KINDS[scope], id: resourceId };
  return (
    <Button
      onClick={() => show({ scope, subject })}
      onPointerEnter={preload}
      onFocus={preload}
      aria-expanded={open}
    >
      <Sparkles aria-hidden="true" />
      AI Assistant
    </Button>
  );
}

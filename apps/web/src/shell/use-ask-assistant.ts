import { useParams } from '@tanstack/react-router';
import { useAssistant } from './assistant-context.tsx';

/** Opens the assistant from anywhere: where one left it, or about the project whose page one is on. */
export function useAskAssistant(): () => void {
  const { projectId } = useParams({ strict: false });
  const { scope, show } = useAssistant();
  return () =>
    projectId === undefined
      ? show({ scope, subject: null })
      : show({ scope: 'general', subject: { kind: 'project', id: projectId } });
}

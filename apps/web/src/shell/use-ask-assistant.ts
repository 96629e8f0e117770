import { useParams } from '@tanstack/react-router';
import { useAssistant } from './assistant-context.tsx';

/** Opens the assistant from anywhere: about anything, or about the project whose page one is on. */
export function useAskAssistant(): () => void {
  const { projectId } = useParams({ strict: false });
  const { show } = useAssistant();
  return () =>
    show({
      scope: 'general',
      subject: projectId === undefined ? null : { kind: 'project', id: projectId },
    });
}

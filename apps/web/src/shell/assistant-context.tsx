import type { AssistantScope } from '@nephos/contracts';
import { useParams } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { type CallError, isUnauthorized } from '../lib/errors.ts';
import { sendToLogin } from '../lib/send-to-login.ts';
import { tabWorkspace } from '../lib/tab-workspace.ts';
import { trpc } from '../lib/trpc.ts';
import { isMobile } from './use-media.ts';

/** Each workspace has its own conversations. */
function storageKey(): string {
  return `assistant:${tabWorkspace()?.id ?? ''}`;
}

/** What a resource of a scope is. */
export const SUBJECT_KINDS = {
  database: 'database',
  container: 'image',
  kubernetes: 'project',
  general: 'project',
} as const satisfies Record<AssistantScope, string>;

/** The one thing that questions are about. */
export interface Subject {
  kind: (typeof SUBJECT_KINDS)[AssistantScope];
  id: string;
}

export interface AssistantState {
  open: boolean;
  scope: AssistantScope;
  subject: Subject | null;
  /** Null until one is made. */
  sessionId: string | null;
}

const CLOSED: AssistantState = { open: false, scope: 'general', subject: null, sessionId: null };

/**
 * A panel that was open comes back after a reload of its tab; a closed one starts anew. Where it would hide the whole
 * page, only its session comes back.
 */
function restore(key: string): AssistantState {
  // Our own writing.
  const stored: AssistantState | null = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  if (!stored?.open || stored.sessionId === null) return CLOSED;
  return { ...CLOSED, ...stored, open: !isMobile() };
}

/** The subject's id for a question of this scope; null where the subject is none of its kind. */
export function resourceIdFor(scope: AssistantScope, subject: Subject | null): string | null {
  return subject?.kind === SUBJECT_KINDS[scope] ? subject.id : null;
}

export interface Assistant extends AssistantState {
  /** Grows with each wish of the person to type. */
  asked: number;
  /** Whether a session is being made. */
  starting: boolean;
  /** Why none could be made. */
  startError: CallError | null;
  /** Opens the panel; what is not given stays as it is. */
  show: (topic?: { scope: AssistantScope; subject: Subject | null }) => void;
  close: () => void;
  /** Fetches the panel ahead of its first opening, as where a pointer nears its button. */
  preload: () => void;
  setScope: (scope: AssistantScope) => void;
  dropSubject: () => void;
  /** Makes a session of the present scope. */
  startSession: () => void;
  resume: (session: { id: string; scope: AssistantScope; subject: Subject | null }) => void;
}

const AssistantContext = createContext<Assistant | null>(null);

export function useAssistant(): Assistant {
  const assistant = use(AssistantContext);
  if (!assistant) throw new Error('useAssistant needs an AssistantProvider around it');
  return assistant;
}

interface AssistantProviderProps extends Pick<Assistant, 'preload'> {
  children: ReactNode;
}

/** The assistant's place in the console: whether its panel is open, about what, and with which session. */
export function AssistantProvider({ preload, children }: AssistantProviderProps) {
  // The tab may be on its way into another workspace while this one is still drawn.
  const [key] = useState(storageKey);
  const [state, setState] = useState(() => restore(key));
  const [asked, setAsked] = useState(0);
  const change = (changes: Partial<AssistantState>) => setState((before) => ({ ...before, ...changes }));
  const { start, ...creation } = useSessionCreation((sessionId) =>
    // An older one may have been chosen meanwhile.
    setState((before) => (before.sessionId === null ? { ...before, sessionId } : before)),
  );

  useEffect(() => sessionStorage.setItem(key, JSON.stringify(state)), [key, state]);

  function show(topic: Pick<AssistantState, 'scope' | 'subject'> = state) {
    change({ open: true, scope: topic.scope, subject: topic.subject });
    setAsked((before) => before + 1);
    if (state.sessionId === null) start(topic);
  }

  function startSession() {
    change({ sessionId: null });
    setAsked((before) => before + 1);
    start(state);
  }

  const assistant: Assistant = {
    ...state,
    ...creation,
    asked,
    preload,
    show,
    startSession,
    close: () => change({ open: false }),
    setScope: (scope) => change({ scope }),
    dropSubject: () => change({ subject: null }),
    resume: ({ id, scope, subject }) => change({ sessionId: id, scope, subject }),
  };
  return <AssistantContext value={assistant}>{children}</AssistantContext>;
}

function useSessionCreation(onCreated: (sessionId: string) => void) {
  const utils = trpc.useUtils();
  const creation = trpc.assistant.createSession.useMutation({
    onSuccess: ({ id }) => {
      utils.assistant.messages.setData({ sessionId: id }, []);
      onCreated(id);
    },
    onError: (error) => {
      if (isUnauthorized(error)) sendToLogin();
    },
  });

  function start({ scope, subject }: Pick<AssistantState, 'scope' | 'subject'>) {
    if (creation.isPending) return;
    creation.mutate({ resourceScope: scope, resourceId: resourceIdFor(scope, subject) });
  }

  return { start, starting: creation.isPending, startError: creation.error };
}

/** Opens the assistant from anywhere: where one left it, or about the project whose page one is on. */
export function useAskAssistant(): () => void {
  const { projectId } = useParams({ strict: false });
  const { scope, show } = useAssistant();
  return () =>
    projectId === undefined
      ? show({ scope, subject: null })
      : show({ scope: 'general', subject: { kind: 'project', id: projectId } });
}

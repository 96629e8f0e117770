import type { AssistantScope } from '@nephos/contracts';

interface Scope {
  /** On its tab. */
  title: string;
  /** What an empty conversation says that one can ask about. */
  about: string;
  suggestions: readonly string[];
}

/** In the order of the tabs. */
export const SCOPE_ORDER = [
  'database',
  'container',
  'kubernetes',
  'general',
] as const satisfies readonly AssistantScope[];

export const SCOPES: Readonly<Record<AssistantScope, Scope>> = {
  database: {
    title: 'Database',
    about: 'Ask about your databases: status, storage use and how to connect.',
    suggestions: [
      'How do I connect to my database?',
      'How do I back up my database?',
      'Why is my query slow?',
    ],
  },
  container: {
    title: 'Container',
    about: 'Ask how to build, push and pull your container images.',
    suggestions: ['How do I pull my image?', 'How do I push an image?', 'Write a Dockerfile for FastAPI'],
  },
  kubernetes: {
    title: 'Kubernetes',
    about: 'Ask for Kubernetes manifests for a project or any image, ready to download.',
    suggestions: [
      'Write a Kubernetes manifest for nginxinc/nginx-unprivileged:1.29',
      'Write a Kubernetes manifest for my project',
    ],
  },
  general: {
    title: 'General',
    about: 'Ask about anything you run here: what exists, what failed and why.',
    suggestions: [
      'What failed in my last deployment?',
      'List my resources',
      'Which records do I need for my domain?',
    ],
  },
};

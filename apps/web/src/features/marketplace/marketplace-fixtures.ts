import { screen, within } from '@testing-library/react';
import { idOf, mockInstallation, mockItem } from '../../test/mock-world.ts';

export const BROKEN = {
  code: 'INTERNAL_SERVER_ERROR',
  reason: 'UNAVAILABLE',
  message: 'Service temporarily unavailable',
} as const;

export const DATABASE = mockItem({ installCount: 1 });

export const FULL_STACK = mockItem({
  id: 'full-stack-starter',
  name: 'Full-stack starter',
  description: 'A page, an API and a database.',
  category: 'Full stack',
  isTemplate: true,
  installCount: 1204,
  creates: [
    { kind: 'database', label: 'PostgreSQL database' },
    { kind: 'project', label: 'Project from the full-stack template' },
  ],
  needs: [{ label: 'PostgreSQL databases', available: true, reason: '' }],
  inputs: [
    {
      name: 'name',
      label: 'Name',
      hint: 'Of both.',
      placeholder: '',
      default: 'Full-stack app',
      required: true,
      secret: false,
    },
    {
      name: 'note',
      label: 'Note',
      hint: '',
      placeholder: 'For whoever opens it',
      default: '',
      required: false,
      secret: false,
    },
  ],
});

export const SITE = mockItem({
  id: 'static-site',
  name: 'Static site',
  description: 'One page and one style sheet.',
  category: 'Websites',
  isTemplate: true,
  creates: [{ kind: 'project', label: 'Project from the static template' }],
});

/** The full-stack starter, as it is once it is there. */
export const INSTALLED = mockInstallation({
  itemId: FULL_STACK.id,
  step: 2,
  steps: 2,
  url: 'http://notes.localhost:3000',
  receipt: [
    { kind: 'database', id: idOf(11), name: 'notes', holdsData: true },
    { kind: 'project', id: idOf(12), name: 'Notes', holdsData: false },
  ],
});

/** The card of the item of that name. */
export function card(name: string) {
  const item = screen.getByRole('heading', { level: 2, name }).closest('li');
  if (!item) throw new Error(`${name} is not in a list`);
  return within(item);
}

export const WIKI = mockItem({
  id: 'wiki',
  name: 'Wiki',
  description: 'A wiki.',
  category: 'Knowledge',
  version: '1.10.0',
  creates: [{ kind: 'project', label: 'Project with a disk of 512 MB' }],
  inputs: [
    {
      ...{ name: 'password', label: 'Password', hint: '', placeholder: '', default: '' },
      ...{ required: true, secret: true },
    },
  ],
  app: { disk: 512, firstSteps: 'Log in as the user "wiki".' },
});

/** The wiki in its former version, which runs. */
export const OLD_WIKI = mockInstallation({
  itemId: WIKI.id,
  version: '1.9.0',
  receipt: [{ kind: 'project', id: idOf(21), name: 'My wiki', holdsData: true }],
  upgrade: {
    version: '1.10.0',
    changes: ['Wiki 1.9.0 is replaced by 1.10.0.', 'The disk "data" (512 MB) is backed up first.'],
    deploymentId: null,
    status: null,
    error: null,
  },
});

import { findNamed } from '../find-named.ts';
import type { Answer, Intent } from '../intent.ts';
import { bold, bullets, paragraphs, plain } from '../markdown.ts';
import { read } from '../read.ts';

const SHOWN = 8;

export const marketplace: Intent = {
  name: 'marketplace',
  example: 'What can I install from the marketplace?',
  scopes: ['general'],
  matches: [
    ['marketplace'],
    ['how', 'marketplace'],
    ['what', 'marketplace'],
    ['marketplace', 'project'],
    ['list', 'marketplace', 'project'],
  ],
  unless: ['fail'],
  async *answer(turn): Answer {
    const items = yield* read(turn, ['marketplace', 'list'], {});
    const item = findNamed(turn.asked, items, ({ name, id }) => [name, id]);
    if (item) {
      const missing = item.needs?.filter(({ available }) => !available) ?? [];
      return paragraphs(
        `${bold(item.name)}: ${plain(item.description)}`,
        bullets(item.creates.map(({ label }) => plain(label))),
        missing.length > 0
          ? `It cannot be installed here yet: ${missing.map(({ reason }) => plain(reason)).join(' ')}`
          : '**Install** on **Marketplace** makes all of it; uninstalling takes it away again.',
      );
    }
    const { enabled } = yield* read(turn, ['billing', 'status'], {});
    return paragraphs(
      `The catalogue has, among others:`,
      bullets(items.slice(0, SHOWN).map(({ name, description }) => `${bold(name)}: ${plain(description)}`)),
      `Install on **Marketplace**${enabled ? ', during the trial or with a plan' : ''}. Ask about one by its name.`,
    );
  },
};

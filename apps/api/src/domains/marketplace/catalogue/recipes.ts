import { askPassword, type CatalogueItem } from './item.ts';
import { recipe } from './recipe.ts';

/** Third-party apps, each with a folder in `apps/api/recipes`. */
export const recipeItems: readonly CatalogueItem[] = [
  recipe({
    id: 'tiddlywiki',
    name: 'TiddlyWiki',
    description:
      'A personal wiki and notebook in one page. What you write is kept as text files on its disk.',
    category: 'Knowledge',
    version: '5.4.1',
    runs: 'nodejs',
    disk: 512,
    memory: 256,
    healthPath: '/status',
    questions: [
      askPassword('password', { label: 'Password', hint: 'You log in with it as the user "wiki".' }),
    ],
    variables: (answer) => ({ WIKI_PASSWORD: answer('password') }),
    firstSteps: 'Log in as the user "wiki" with the password that you chose.',
  }),
];

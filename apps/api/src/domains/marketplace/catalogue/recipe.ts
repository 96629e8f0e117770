import { NewProject } from '@nephos/contracts';
import { ask, type CatalogueItem, forVariable, type Question, type Recipe } from './item.ts';

/** A row of `recipes.ts`. */
type RecipeRow = Pick<CatalogueItem, 'name' | 'description' | 'category'> &
  Omit<Recipe, 'secrets'> & {
    /** Of `web`; null for the platform's default. */
    memory: number | null;
    /** Seconds until it must answer, where that takes longer than the platform's default. */
    healthTimeout?: number | null;
    /** Where it listens, where it does not heed PORT. */
    port?: number | null;
    secrets?: Recipe['secrets'];
    /** Beside that for the project's name. */
    questions?: readonly Question[];
    /** Variables that come of the answers; those with an empty value are left out. */
    variables?: (answer: (name: string) => string) => Record<string, string>;
  };

/** An item that installs a third-party app: a project of its folder in `apps/api/recipes`, with one disk. */
export function recipe({
  name,
  description,
  category,
  memory,
  healthTimeout = null,
  port = null,
  questions = [],
  variables = () => ({}),
  secrets = [],
  ...row
}: RecipeRow): CatalogueItem {
  const app: Recipe = { ...row, secrets };
  const web = { name: 'web', command: '', instances: null, memory, cpu: null, tasks: null };
  return {
    ...{ id: app.id, version: app.version, name, description, category, isTemplate: false, recipe: app },
    questions: [
      ask('name', forVariable(NewProject.shape.name, 'Names'), {
        label: 'Project name',
        hint: "Used for the app's URL.",
        initial: name,
      }),
      ...questions,
    ],
    steps: (answer) => [
      {
        kind: 'project',
        label: `Project with a disk of ${app.disk} MB`,
        input: {
          name: answer('name'),
          framework: 'nodejs',
          settings: {
            builder: app.runs === 'container' ? 'dockerfile' : 'framework',
            processes: memory === null ? [] : [web],
            healthTimeout,
            port,
          },
        },
        variables: variables(answer),
        recipe: app,
      },
    ],
  };
}

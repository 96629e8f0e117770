import type {
  ItemInput,
  NewContainerImage,
  NewDatabase,
  NewDnsRecord,
  NewMobileApp,
  NewProject,
} from '@nephos/contracts';
import { z } from 'zod';

/** One resource of an item, with the input of its own domain's `create`. */
export type Step = { label: string } & (
  | { kind: 'database'; input: NewDatabase }
  | {
      kind: 'project';
      input: NewProject;
      /** Environment variables that its first deployment has already; those with an empty value are left out. */
      variables?: Record<string, string>;
      /** Name of the variable that gets the address of the item's database. */
      databaseVariable?: string;
      /** The third-party app that it is, with its disk, in the place of a source. */
      recipe?: Recipe;
    }
  | { kind: 'dns'; input: NewDnsRecord }
  | { kind: 'container'; input: NewContainerImage }
  | { kind: 'mobile-app'; input: NewMobileApp }
);

/** How a third-party app is run: one project, whose files are in `apps/api/recipes/<id>`, with one disk. */
export interface Recipe {
  id: string;
  /** Which one is installed, and offered to who has an older one. */
  version: string;
  /** `container` has a Dockerfile, and needs a server whose apps run in containers. */
  runs: 'nodejs' | 'container';
  /** MB of the disk, on which there is everything that the app must keep. */
  disk: number;
  healthPath: string;
  /** Names of variables that are made at random. */
  secrets: readonly string[];
  /** Name of the variable that gets the app's address, where it needs to know it. */
  addressVariable?: string;
  /** One sentence, for who has just installed it; '' where there is nothing to say. */
  firstSteps: string;
}

/** A question with the rule for its answer: that of the field which the answer is for. */
export interface Question extends ItemInput {
  answer: z.ZodType<string, string>;
}

/** By the question's name. */
export type Answers = Readonly<Record<string, string>>;

/**
 * An item of the catalogue. Its steps are a pure function of the answers: their number, kinds and labels are the same
 * for all answers, and an installation that is cut short goes on by them.
 */
export interface CatalogueItem {
  /** Never changes, and is never given to another item. */
  id: string;
  /** Raised with every change of its questions or steps. */
  version: string;
  name: string;
  description: string;
  category: string;
  /** Whether it is a starting point for one's own code. */
  isTemplate: boolean;
  questions: readonly Question[];
  /** Set where it is a third-party app. */
  recipe?: Recipe;
  steps(answer: (name: string) => string): readonly Step[];
}

/** A question that has to be answered; `initial` is what the dialog begins with. */
export function ask(
  name: string,
  answer: Question['answer'],
  {
    label,
    hint = '',
    initial = '',
    placeholder = '',
  }: {
    label: string;
    hint?: string;
    initial?: string;
    placeholder?: string;
  },
): Question {
  return { name, label, hint, placeholder, default: initial, required: true, secret: false, answer };
}

/** A question that may be left open. */
export function askOptionally(...question: Parameters<typeof ask>): Question {
  return { ...ask(...question), required: false };
}

/** A rule for an answer that becomes the value of a variable, where `${{` would begin a reference. */
export function forVariable(rule: Question['answer'], names: string): Question['answer'] {
  return rule.refine((text) => !text.includes('${{'), `${names} can't contain \${{.`);
}

const PASSWORD_MIN = 10;
/** As much as bcrypt reads. */
const PASSWORD_MAX = 72;

/** What any program takes for a password, wherever it is written to: printable ASCII, and no space at either end. */
export const Password = forVariable(
  z
    .string()
    .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters.`)
    .max(PASSWORD_MAX, `Passwords can be up to ${PASSWORD_MAX} characters long.`)
    .regex(/^[!-~]([ -~]*[!-~])?$/, 'Use letters, digits and signs of an English keyboard.'),
  'Passwords',
);

/**
 * A question for a password that is new with the app. The answer is sealed, and gone once it was used. `answer` is `Password`,
 * or narrower where the app takes less.
 */
export function askPassword(
  name: string,
  {
    label,
    hint = '',
    answer = Password,
  }: Pick<Question, 'label'> & Partial<Pick<Question, 'hint' | 'answer'>>,
): Question {
  return { ...ask(name, answer, { label, hint }), secret: true };
}

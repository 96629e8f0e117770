import type {
  ItemInput,
  NewContainerImage,
  NewDatabase,
  NewDnsRecord,
  NewMobileApp,
  NewProject,
} from '@nephos/contracts';
import type { z } from 'zod';

/** One resource of a recipe, with the input of its own domain's `create`. */
export type Step = { label: string } & (
  | { kind: 'database'; input: NewDatabase }
  | {
      kind: 'project';
      input: NewProject;
      /** Environment variables that its first deployment has already; those with an empty value are left out. */
      variables?: Record<string, string>;
      /** Name of the variable that gets the address of the recipe's database. */
      databaseVariable?: string;
    }
  | { kind: 'dns'; input: NewDnsRecord }
  | { kind: 'container'; input: NewContainerImage }
  | { kind: 'mobile-app'; input: NewMobileApp }
);

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
  return { name, label, hint, placeholder, default: initial, required: true, answer };
}

/** A question that may be left open. */
export function askOptionally(...question: Parameters<typeof ask>): Question {
  return { ...ask(...question), required: false };
}

import type { FieldError } from '@nephos/contracts/kit';
import { invalid } from '../../core/errors.ts';
import type { Answers, CatalogueItem, Step } from './catalogue/item.ts';
import { inputRule } from './make-step.ts';

/** The steps for some answers; a question without one counts as answered with nothing. */
export function stepsOf(item: CatalogueItem, answers: Answers = {}): readonly Step[] {
  return item.steps((name) => answers[name] ?? '');
}

/**
 * The answers to an item's questions in their canonical form, others are dropped. Throws 400 with `inputs.<question>`
 * for each that breaks the rule of its field, or of the resource that it is for.
 */
export function readAnswers({ questions, ...item }: CatalogueItem, inputs: Answers): Answers {
  const answers: Record<string, string> = {};
  const faults: FieldError[] = [];
  for (const question of questions) {
    const given = inputs[question.name] ?? question.default;
    if (!question.required && given.trim() === '') continue;
    const reading = question.answer.safeParse(given);
    if (reading.success) answers[question.name] = reading.data;
    else faults.push({ path: question.name, message: reading.error.issues[0]?.message ?? 'Not valid.' });
  }
  if (faults.length === 0) faults.push(...faultsOfSteps(stepsOf({ questions, ...item }, answers)));
  const [first] = faults;
  if (!first) return answers;
  throw invalid(
    first.message,
    faults.map(({ path, message }) => ({ path: `inputs.${path}`, message })),
  );
}

/** A question is named after the field that its answer goes into, wherever the rule spans several fields. */
function faultsOfSteps(steps: readonly Step[]): FieldError[] {
  const issues = steps.flatMap((step) => inputRule(step).safeParse(step.input).error?.issues ?? []);
  return issues.map(({ path, message }) => ({ path: path.join('.'), message }));
}

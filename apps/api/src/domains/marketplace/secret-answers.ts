import type { SecretsBox } from '../../platform/secrets-box.ts';
import type { Answers, CatalogueItem } from './catalogue/item.ts';
import type { InstallationRow } from './read.ts';

/** Whose answers they are. */
type About = Pick<InstallationRow, 'ownerId' | 'itemId'>;

function contextOf({ ownerId, itemId }: About, name: string): string {
  return `${ownerId}:installation of ${itemId}:${name}`;
}

/** Answers as a row keeps them: those to secret questions sealed, apart from the rest. */
export function sealAnswers(
  secrets: SecretsBox,
  about: About,
  { questions }: Pick<CatalogueItem, 'questions'>,
  answers: Answers,
): { inputs: string; secretInputs: string } {
  const secret = new Set(questions.filter((question) => question.secret).map(({ name }) => name));
  const all = Object.entries(answers);
  const sealed = all
    .filter(([name]) => secret.has(name))
    .map(([name, answer]) => [name, secrets.seal(answer, contextOf(about, name)).toString('base64')]);
  return {
    inputs: JSON.stringify(Object.fromEntries(all.filter(([name]) => !secret.has(name)))),
    secretInputs: JSON.stringify(Object.fromEntries(sealed)),
  };
}

/** All answers of an installation that is under way. */
export function openAnswers(
  secrets: SecretsBox,
  row: About & Pick<InstallationRow, 'inputs' | 'secretInputs'>,
): Answers {
  const opened = Object.entries(row.secretInputs).map(([name, sealed]) => [
    name,
    secrets.open(Buffer.from(sealed, 'base64'), contextOf(row, name)),
  ]);
  return { ...row.inputs, ...Object.fromEntries(opened) };
}

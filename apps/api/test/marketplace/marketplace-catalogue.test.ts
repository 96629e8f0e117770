import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  HealthPath,
  ItemId,
  MarketplaceItem,
  NewDisk,
  NewProject,
  readValue,
  wholeName,
} from '@nephos/contracts';
import { describe, expect, it } from 'vitest';
import { RECIPES } from '../../src/domains/deployments/deployments.ts';
import { onDebianImage } from '../../src/domains/deployments/engine/dockerfile/base-image.ts';
import { assertZone } from '../../src/domains/dns/zone-rules.ts';
import { readAnswers, stepsOf } from '../../src/domains/marketplace/answers.ts';
import { CATALOGUE } from '../../src/domains/marketplace/catalogue/catalogue.ts';
import { answersFor } from './marketplace-world.ts';

const run = promisify(execFile);

describe('the catalogue', () => {
  it('has at least 14 items in at least 6 categories, each with an id of its own', () => {
    expect(CATALOGUE.length).toBeGreaterThanOrEqual(14);
    expect(new Set(CATALOGUE.map(({ category }) => category)).size).toBeGreaterThanOrEqual(6);
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
    expect(new Set(CATALOGUE.map(({ name }) => name)).size).toBe(CATALOGUE.length);
  });

  it.each(CATALOGUE.map((item) => [item.id, item] as const))('%s is whole', (id, item) => {
    expect(ItemId.parse(id)).toBe(id);
    expect(item.version).toMatch(item.recipe ? /^\d[\w.+~-]*$/ : /^\d+\.\d+\.\d+$/);
    expect(item.description).toMatch(/^[A-Z].*\.$/);
    expect(MarketplaceItem.shape.name.safeParse(item.name).success).toBe(true);
    const answers = readAnswers(item, answersFor('ada'));
    expect(Object.keys(answers).sort()).toEqual(item.questions.map(({ name }) => name).sort());
    const steps = stepsOf(item, answers);
    expect(steps.length).toBeGreaterThan(0);
    const shape = ({ kind, label }: { kind: string; label: string }) => [kind, label];
    expect(stepsOf(item).map(shape)).toEqual(steps.map(shape));
    expect(new Set(steps.map(({ label }) => label)).size).toBe(steps.length);
  });

  it.each(
    CATALOGUE.flatMap(({ questions, id }) =>
      questions.filter((question) => question.default !== '').map((question) => [id, question] as const),
    ),
  )('%s suggests an answer that will do', (_, question) => {
    expect(question.answer.parse(question.default)).toBe(question.default);
  });

  it.each([
    ['tiddlywiki', { password: 'nobody:logs in' }, "Passwords can't contain a colon."],
    ['wordpress', { name: 'My ${{ blog' }, "Names can't contain ${{."],
  ])('%s refuses %j', (id, wrong, message) => {
    const item = CATALOGUE.find((one) => one.id === id);
    expect(() => item && readAnswers(item, { ...answersFor('ada'), ...wrong })).toThrow(message);
  });

  it.each(
    CATALOGUE.flatMap((item) => {
      const records = stepsOf(item, answersFor('ada')).flatMap((step) =>
        step.kind === 'dns' ? [step.input] : [],
      );
      return records.length > 0 ? [[item.id, records] as const] : [];
    }),
  )('%s has records that make a zone', (_, records) => {
    const zone = records.map(({ recordType = 'A', name = '@', value }) => {
      expect(readValue(recordType, value)).toEqual({ ok: true, text: value });
      expect(wholeName(name, 'ada.example.com')).toContain('ada.example.com');
      return { name, recordType, value, ttl: 3600 };
    });
    expect(() => assertZone('ada.example.com', zone)).not.toThrow();
    const spf = zone.filter(({ value }) => value.startsWith('v=spf1'));
    expect(spf.length).toBeLessThanOrEqual(1);
  });

  const recipes = CATALOGUE.flatMap((item) => (item.recipe ? [[item.id, item, item.recipe] as const] : []));

  it.each(recipes)('%s has its files, and an input that its project takes', async (id, item, recipe) => {
    const folder = join(RECIPES, id);
    const versioned = recipe.runs === 'container' ? 'Dockerfile' : 'package.json';
    expect(await readFile(join(folder, versioned), 'utf8')).toContain('@VERSION@');
    expect(HealthPath.parse(recipe.healthPath)).toBe(recipe.healthPath);
    expect(NewDisk.shape.size.parse(recipe.disk)).toBe(recipe.disk);
    expect(recipe.firstSteps).toMatch(/^([A-Z].*\.)?$/);
    const [step] = stepsOf(item, readAnswers(item, answersFor('ada')));
    if (step?.kind !== 'project') throw new Error('It is no project.');
    const address = recipe.addressVariable ? [recipe.addressVariable] : [];
    const given = [...Object.keys(step.variables ?? {}), ...recipe.secrets, ...address];
    expect(new Set(given).size).toBe(given.length);
    const variables = given.map((name) => ({ name, value: 'x' }));
    expect(NewProject.safeParse({ ...step.input, variables }).error).toBeUndefined();
  });

  it.each(recipes)('%s has a base image that can be set, and sound scripts', async (id) => {
    const folder = join(RECIPES, id);
    for (const file of await readdir(folder)) {
      const path = join(folder, file);
      const text = await readFile(path, 'utf8');
      // In other files it would not be replaced.
      if (file !== 'package.json' && file !== 'Dockerfile') expect(text, file).not.toContain('@VERSION@');
      if (file === 'Dockerfile') {
        const froms = onDebianImage(text, { debian: 'ours/{version}' }).match(/^\s*FROM\s.*$/gim);
        expect(froms).toEqual([expect.stringMatching(/^FROM ours\/[a-z]+$/)]);
      }
      if (file.endsWith('.js')) await run(process.execPath, ['--check', path]);
      if (file.endsWith('.sh')) await run(text.startsWith('#!/bin/bash\n') ? 'bash' : 'sh', ['-n', path]);
    }
  });

  it('has an item for each folder of recipes', async () => {
    expect(recipes.map(([id]) => id).sort()).toEqual((await readdir(RECIPES)).sort());
  });
});

import { contract } from '@nephos/contracts';
import type { Row } from '@nephos/contracts/kit';
import { z } from 'zod';
import type { Tool } from './responder/toolbox.ts';

/** A row of the contract as a tool. */
export interface ContractTool extends Tool {
  /** `domain.procedure`. */
  path: string;
  row: Row;
  parameters: ObjectSchema;
}

interface ObjectSchema extends Readonly<Record<string, unknown>> {
  type: 'object';
  properties: Readonly<Record<string, object>>;
  required: readonly string[];
  additionalProperties: false;
}

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** What OpenAI takes as the name of a function. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Every row that says `forAssistant`. Anything but a read is no tool, whatever its row says. */
const READS = Object.entries(contract).flatMap(([domain, table]) =>
  Object.entries<Row>(table)
    .filter(([, row]) => row.forAssistant && row.kind === 'query')
    .map(([procedure, row]) => ({ path: `${domain}.${procedure}`, row })),
);

/** The tools of the contract, by name. */
export const CONTRACT_TOOLS: ReadonlyMap<string, ContractTool> = new Map(
  READS.map(({ path, row }) => {
    const tool = { name: nameOf(path), description: row.summary, parameters: parametersOf(row), path, row };
    return [tool.name, tool];
  }),
);

function nameOf(path: string): string {
  const name = path.replace('.', '_');
  if (!NAME.test(name)) throw new Error(`${path} is no name of a tool`);
  return name;
}

function parametersOf(row: Row): ObjectSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(row.input, {
    io: 'input',
    unrepresentable: 'any',
  });
  const shown = Object.entries(properties)
    .filter(([name]) => !row.withheld.includes(name))
    .map(([name, schema]) => [name, parameterOf(row, name, schema)] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(shown),
    required,
    additionalProperties: false,
  };
}

/** The schema without what only tells a program more: a format's pattern, the bounds of every integer. */
function parameterOf(row: Row, name: string, schema: z.core.JSONSchema._JSONSchema): object {
  if (typeof schema === 'boolean') return {};
  const { pattern, minimum, ...rest }: JsonSchema = schema;
  const source = sourceOfId(row, name);
  return {
    ...rest,
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(pattern !== undefined && rest.format === undefined && { pattern }),
    ...(source && { description: `An id that ${source} gives` }),
  };
}

/** The tool that lists what an id is one of: what `{id}` follows in the row's address, or what `projectId` names. */
function sourceOfId({ route }: Row, name: string): string | undefined {
  const [, named] = name.match(/^(\w+)Id$/) ?? [];
  const [, place] = route?.match(new RegExp(`(/[\\w-]+)/\\{${name}\\}`)) ?? [];
  const ending = named ? `/${named}s` : place;
  const list = ending && READS.find(({ row }) => row.route?.endsWith(ending));
  return list && nameOf(list.path);
}

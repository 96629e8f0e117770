import { z } from 'zod';

export type Json = Record<string, unknown>;

/** A JSON Schema, with those of its members that we look at. */
export interface JsonSchema extends Json {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  properties?: Json;
  required?: string[];
}

/** What a client sends, where a default may be left out; or what it gets. */
export type Direction = 'input' | 'output';

/** The shapes of a document: each one that has a name is written once, and referred to. */
export interface Shapes {
  /** A shape as JSON Schema; where it has a name, only a reference. */
  refer(schema: z.ZodType, direction: Direction): JsonSchema;
  /** What a reference leads to, through further ones; anything else as it is. */
  follow(schema: JsonSchema): JsonSchema;
  /** The named shapes that `document` refers to, directly and through each other. */
  referredTo(document: unknown): Record<string, Json>;
}

const PLACE = '#/components/schemas/';
/** Formats that say all that their patterns say. */
const PLAIN_FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date-time']);

/** As `JSON.parse` revives them: references lead into the document, and records of fixed names are objects. */
function revive(key: string, value: unknown): unknown {
  if (key === '$ref' && typeof value === 'string') return value.replace('#/$defs/', PLACE);
  if (typeof value !== 'object' || value === null || !('propertyNames' in value)) return value;
  const { propertyNames: _, additionalProperties, required, ...record }: Json = { ...value };
  if (!Array.isArray(required)) return value;
  const properties = Object.fromEntries(required.map((name) => [name, additionalProperties]));
  return { ...record, properties, required, additionalProperties: false };
}

/** Names referred to in a document, each as often as it is. */
function namesIn(document: unknown): string[] {
  return [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name ?? '',
  );
}

/**
 * Names zod schemas by the names under which `exported`, a module's namespace, exports them. Throws where one name
 * would stand for two shapes, because it is sent in another shape than it is got.
 */
export function createShapes(exported: Readonly<Record<string, unknown>>): Shapes {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(exported)) {
    if (schema instanceof z.ZodType && !names.has(schema)) names.add(schema, { id });
  }
  const known = new Map<string, JsonSchema>();

  function learn(definitions: Record<string, JsonSchema>): void {
    for (const [name, shape] of Object.entries(definitions)) {
      const before = known.get(name);
      if (before && JSON.stringify(before) !== JSON.stringify(shape)) {
        throw new Error(`${name} is sent and got in two shapes: give each a name of its own`);
      }
      known.set(name, shape);
    }
  }

  function follow(schema: JsonSchema): JsonSchema {
    const shape = known.get(schema.$ref?.slice(PLACE.length) ?? '');
    return shape ? follow(shape) : schema;
  }

  return {
    refer(schema, direction) {
      const whole = z.toJSONSchema(schema, {
        io: direction,
        unrepresentable: 'any',
        metadata: names,
        override: ({ zodSchema, jsonSchema }) => {
          const { description } = z.globalRegistry.get(zodSchema) ?? {};
          if (description !== undefined) jsonSchema.description = description;
          if (PLAIN_FORMATS.has(jsonSchema.format)) delete jsonSchema.pattern;
        },
      });
      const { $schema: _, $defs = {}, ...json }: JsonSchema = JSON.parse(JSON.stringify(whole), revive);
      learn($defs);
      return json;
    },
    follow,
    referredTo(document) {
      const found = new Set<string>();
      const visit = (part: unknown) => {
        for (const name of namesIn(part)) {
          if (found.has(name)) continue;
          found.add(name);
          visit(known.get(name));
        }
      };
      visit(document);
      return Object.fromEntries(
        [...found].toSorted().flatMap((name) => {
          const shape = known.get(name);
          return shape ? [[name, shape]] : [];
        }),
      );
    },
  };
}

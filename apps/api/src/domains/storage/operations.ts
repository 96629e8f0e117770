import { StoredFile, UPLOAD_PATH } from '@nephos/contracts';
import { type PlainOperation, refused, type Shapes, SIGNED_IN } from '@nephos/contracts/openapi';

const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } };

const query = (name: string, schema: object, required = false) => ({ name, in: 'query', required, schema });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };
const inline = query('inline', { type: 'string', enum: ['1'] });

const download = {
  200: { description: 'The bytes, with `ETag`', content: bytes },
  206: { description: 'The range that was asked for', content: bytes },
  304: { description: 'The bytes of `If-None-Match` or `If-Modified-Since` are still the same' },
  412: { description: 'The bytes are not those of `If-Match` or `If-Unmodified-Since`' },
  416: { description: 'The file has no such range' },
  ...refused(404, 'No such file, or not yours'),
  ...refused(429, 'Too many downloads'),
};

/** The routes of files' bytes, as OpenAPI writes them. */
export const storageOperations = (shapes: Shapes): PlainOperation[] => [
  {
    route: `POST ${UPLOAD_PATH}`,
    tag: 'storage',
    operation: {
      operationId: 'storage.upload',
      summary: 'Store a file whose bytes are the body, at most 10 MiB; its type is the Content-Type',
      parameters: [
        query('fileName', { type: 'string', maxLength: 255 }, true),
        query('filePath', { type: 'string', maxLength: 1024, default: '/uploads/' }),
        query('isPublic', { type: 'string', enum: ['true', 'false'], default: 'false' }),
        { $ref: '#/components/parameters/IdempotencyKey' },
      ],
      requestBody: { required: true, content: bytes },
      responses: {
        201: {
          description: 'Stored',
          content: { 'application/json': { schema: shapes.refer(StoredFile, 'output') } },
        },
        ...refused(413, 'The file is larger than 10 MiB'),
        ...refused(415, 'A form (`multipart/form-data`)'),
        ...refused(400, 'Malformed'),
        ...refused(401, 'No live session'),
        ...refused(403, 'Not allowed, or no room for it'),
        ...refused(409, 'The first request with this `Idempotency-Key` is still running'),
        ...refused(422, 'The `Idempotency-Key` was used with another request'),
        ...refused(429, 'Too many uploads'),
        ...refused(503, 'The storage is full'),
      },
      security: SIGNED_IN,
    },
  },
  {
    route: 'GET /api/storage/{id}/download',
    tag: 'storage',
    operation: {
      operationId: 'storage.download',
      summary: "A file's bytes, whole or a range, for its owner; for anyone when it is public",
      parameters: [id, inline],
      responses: { ...download, ...refused(401, 'Not public, and no live session') },
      security: [...SIGNED_IN, {}],
    },
  },
  {
    route: 'GET /files/{id}/{fileName}',
    tag: 'storage',
    operation: {
      operationId: 'storage.publicFile',
      summary: "A public file's bytes, whole or a range, for anyone",
      parameters: [id, { name: 'fileName', in: 'path', required: true, schema: { type: 'string' } }, inline],
      responses: download,
      security: [],
    },
  },
];

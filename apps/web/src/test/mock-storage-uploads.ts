import { storageUploads } from '@nephos/contracts';
import { uploadPartPath } from '@nephos/contracts/constants';
import { HttpResponse, http } from 'msw';
import { found, implement, Refused, success } from './mock-implement.ts';
import { type MockWorld, mockFile } from './mock-world.ts';

const FILE_EXISTS = { code: 'CONFLICT', reason: 'FILE_EXISTS', message: 'It already exists.' } as const;

/** Bytes of each part but the last. */
const PART_SIZE = 4;

export const storageUploadsMock = implement(storageUploads, {
  list: ({ ctx: { world } }) =>
    world.uploads.map(({ parts, ...upload }) => {
      const size = [...parts.values()].reduce((sum, part) => sum + part, 0);
      const at = '2026-11-24T10:00:00.000Z';
      return { ...upload, size, createdAt: at, touchedAt: at };
    }),
  get: ({ ctx: { world }, input }) => {
    const { id, fileName, filePath, bucketId, parts } = found(world.uploads, input.id);
    const arrived = [...parts].map(([partNumber, size]) => ({ partNumber, size, etag: 'a'.repeat(32) }));
    const at = '2026-11-24T10:00:00.000Z';
    return { id, fileName, filePath, bucketId, size: 0, createdAt: at, touchedAt: at, parts: arrived };
  },
  begin: async ({ ctx: { world }, input: { fileName, filePath = '/uploads/', bucketId = '', ifExists } }) => {
    await world.uploadGate;
    const there = world.files.some((file) => file.fileName === fileName && file.filePath === filePath);
    if (there && ifExists === 'refuse') throw new Refused(FILE_EXISTS);
    const id = crypto.randomUUID();
    world.uploads = [...world.uploads, { id, fileName, filePath, bucketId, parts: new Map() }];
    return { id, partSize: PART_SIZE };
  },
  complete: ({ ctx: { world }, input: { id, size } }) => {
    const before = world.files.find((file) => file.id === id);
    if (before) return before;
    const { fileName, filePath, parts } = found(world.uploads, id);
    const arrived = [...parts.values()].reduce((sum, part) => sum + part, 0);
    const file = mockFile({ id, fileName, filePath, fileSize: arrived === size ? size : -1 });
    world.files = [file, ...world.files];
    world.uploads = world.uploads.filter((upload) => upload.id !== id);
    return file;
  },
  abort: ({ ctx: { world }, input }) => {
    world.uploads = world.uploads.filter(({ id }) => id !== input.id);
    return success;
  },
});

/** Where parts are sent. */
export function partHandlers(world: () => MockWorld) {
  return [
    http.put(`*${uploadPartPath(':id', ':partNumber')}`, async ({ request, params }) => {
      const partNumber = Number(params.partNumber);
      const size = (await request.arrayBuffer()).byteLength;
      if (world().refusedPart === partNumber) {
        return HttpResponse.json(
          { message: 'No room.', code: 'STORAGE_FULL', requestId: 'test' },
          { status: 503 },
        );
      }
      found(world().uploads, String(params.id)).parts.set(partNumber, size);
      world().sentParts.push(partNumber);
      return HttpResponse.json({ partNumber, size, etag: 'a'.repeat(32) });
    }),
  ];
}

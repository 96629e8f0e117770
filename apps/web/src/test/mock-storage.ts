import { type ManyFilesOutcome, type StoredFile, storage } from '@nephos/contracts';
import { downloadPath, UPLOAD_PATH } from '@nephos/contracts/constants';
import { HttpResponse, http } from 'msw';
import { found, implement, pageOf, Refused, success, unanswered } from './mock-implement.ts';
import { type MockWorld, mockFile } from './mock-world.ts';

/** The other file in a file's place. */
function otherAt({ files }: MockWorld, { id, fileName, filePath }: StoredFile): StoredFile | undefined {
  return files.find((file) => file.id !== id && file.fileName === fileName && file.filePath === filePath);
}

const EXISTS = { code: 'CONFLICT', reason: 'FILE_EXISTS', message: 'It already exists.' } as const;

/** What came of each of several files. */
export function eachOf(ids: readonly string[], work: (id: string) => boolean): ManyFilesOutcome {
  const done = ids.filter(work);
  const failed = ids.filter((id) => !done.includes(id));
  return { done, failed: failed.map((id) => ({ id, code: EXISTS.reason, message: EXISTS.message })) };
}

/** Puts a file where it goes, as the server would; null where it refuses. */
function place(world: MockWorld, file: StoredFile, ifExists: string): StoredFile | null {
  const other = otherAt(world, file);
  if (other && ifExists === 'refuse') return null;
  const placed = other && ifExists === 'rename' ? { ...file, fileName: `second ${file.fileName}` } : file;
  const gone = other && ifExists === 'replace' ? other.id : undefined;
  world.files = [placed, ...world.files.filter(({ id }) => id !== file.id && id !== gone)];
  return placed;
}

function publicUrlOf(id: string, isPublic: boolean): string | null {
  return isPublic ? `http://localhost:3000/public/${id}` : null;
}

export const storageMock = implement(storage, {
  list: ({ ctx, input }) => pageOf(ctx.world.files, input),
  folders: ({ ctx }) => [...new Set(ctx.world.files.map(({ filePath }) => filePath))].sort(),
  subfolders: ({ ctx: { world }, input: { folder } }) => {
    const below = world.files
      .map(({ filePath }) => filePath)
      .filter((path) => path !== folder && path.startsWith(folder));
    return [...new Set(below.map((path) => `${folder}${path.slice(folder.length).split('/')[0]}/`))].sort();
  },
  moveFolder: ({ ctx: { world }, input: { folder, to } }) => {
    world.files = world.files.map((file) =>
      file.filePath.startsWith(folder)
        ? { ...file, filePath: `${to}${file.filePath.slice(folder.length)}` }
        : file,
    );
    return success;
  },
  removeFolder: ({ ctx: { world }, input: { folder } }) => {
    world.files = world.files.filter(({ filePath }) => !filePath.startsWith(folder));
    return success;
  },
  create: unanswered,
  share: ({ input: { id, seconds } }) => {
    const until = Date.UTC(2026, 10, 24, 10) / 1000 + seconds;
    const link = `http://localhost:3000/files/shared/${id}/file?until=${until}&signature=${'s'.repeat(43)}`;
    return { link, until: new Date(until * 1000).toISOString() };
  },
  unshare: ({ ctx, input }) => {
    found(ctx.world.files, input.id);
    return success;
  },
  update: ({ ctx: { world }, input: { id, ifExists, ...change } }) => {
    const placed = place(world, { ...found(world.files, id), ...change } as StoredFile, ifExists);
    if (!placed) throw new Refused(EXISTS);
    return placed;
  },
  moveMany: ({ ctx: { world }, input: { ids, filePath, ifExists = 'keep' } }) =>
    eachOf(ids, (id) => place(world, { ...found(world.files, id), filePath }, ifExists) !== null),
  removeMany: ({ ctx: { world }, input: { ids } }) =>
    eachOf(ids, (id) => {
      found(world.files, id);
      world.files = world.files.filter((file) => file.id !== id);
      return true;
    }),
  remove: unanswered,
});

function refused(status: number, message: string, code = 'REFUSED') {
  return HttpResponse.json({ message, code, requestId: 'test' }, { status });
}

/** The addresses of files' bytes, which are no procedures. */
export function fileHandlers(world: () => MockWorld) {
  return [
    http.post(`*${UPLOAD_PATH}`, async ({ request }) => {
      const { uploadRefusal, delays } = world();
      await delays.upload;
      if (uploadRefusal) return refused(uploadRefusal.status, uploadRefusal.message);
      const query = new URL(request.url).searchParams;
      const isPublic = query.get('isPublic') === 'true';
      const id = crypto.randomUUID();
      const file = mockFile({
        id,
        fileName: query.get('fileName') ?? '',
        filePath: query.get('filePath') ?? '',
        fileSize: (await request.arrayBuffer()).byteLength,
        mimeType: request.headers.get('content-type') ?? '',
        isPublic,
        publicUrl: publicUrlOf(id, isPublic),
      });
      const placed = place(world(), file, query.get('ifExists') ?? 'keep');
      if (!placed) return refused(409, EXISTS.message, EXISTS.reason);
      return HttpResponse.json(placed, { status: 201 });
    }),
    http.all(`*${downloadPath(':id')}`, ({ params }) => {
      const { contents } = world();
      const content = contents[String(params.id)];
      return content === undefined ? refused(404, 'Not found.') : HttpResponse.text(content);
    }),
  ];
}

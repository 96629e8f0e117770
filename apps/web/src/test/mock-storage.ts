import { storage } from '@nephos/contracts';
import { downloadPath, UPLOAD_PATH } from '@nephos/contracts/constants';
import { HttpResponse, http } from 'msw';
import { implement, pageOf, unanswered } from './mock-implement.ts';
import { type MockWorld, mockFile } from './mock-world.ts';

function publicUrlOf(id: string, isPublic: boolean): string | null {
  return isPublic ? `http://localhost:3000/public/${id}` : null;
}

export const storageMock = implement(storage, {
  list: ({ ctx, input }) => pageOf(ctx.world.files, input),
  folders: ({ ctx }) => [...new Set(ctx.world.files.map(({ filePath }) => filePath))].sort(),
  create: unanswered,
  update: unanswered,
  remove: unanswered,
});

function refused(status: number, message: string) {
  return HttpResponse.json({ message, code: 'REFUSED', requestId: 'test' }, { status });
}

/** The addresses of files' bytes, which are no procedures. */
export function fileHandlers(world: () => MockWorld) {
  return [
    http.post(`*${UPLOAD_PATH}`, async ({ request }) => {
      const { files, uploadRefusal, delays } = world();
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
      world().files = [file, ...files];
      return HttpResponse.json(file, { status: 201 });
    }),
    http.all(`*${downloadPath(':id')}`, ({ params }) => {
      const { contents } = world();
      const content = contents[String(params.id)];
      return content === undefined ? refused(404, 'Not found.') : HttpResponse.text(content);
    }),
  ];
}

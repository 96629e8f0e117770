import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeUpload } from '../../test/fake-upload.ts';
import { idOf, mockFile } from '../../test/mock-world.ts';
import { mockApi, renderPage, shownToast } from '../../test/render-page.tsx';
import { dismissToast, toastStore } from '../../ui/toast.ts';

mockApi();

const MB = 1024 * 1024;

function fileOf(size: number, name = 'report.csv') {
  return new File([new Uint8Array(size)], name, { type: 'text/csv' });
}

async function openDialog(state: Parameters<typeof renderPage>[1] = {}) {
  const page = renderPage('/storage', state);
  await page.user.click(await screen.findByRole('button', { name: 'Upload File' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Upload File' }));
  return {
    ...page,
    dialog,
    picker: dialog.getByLabelText<HTMLInputElement>('File'),
    upload: dialog.getByRole<HTMLButtonElement>('button', { name: 'Upload' }),
  };
}

describe('uploading a file', () => {
  it('takes exactly 10 MB and not a byte more', async () => {
    const { user, dialog, picker, upload } = await openDialog();
    await user.upload(picker, fileOf(10 * MB + 1, 'huge.csv'));
    expect(shownToast()).toEqual({
      title: 'File too large',
      description: 'Please select a file smaller than 10MB',
      variant: 'destructive',
    });
    expect(upload.disabled).toBe(true);
    expect(dialog.queryByText('huge.csv')).toBeNull();
    await user.upload(picker, fileOf(10 * MB, 'large.csv'));
    expect(dialog.getByText('large.csv')).toBeDefined();
    expect(toastStore.get()?.open).toBe(false);
    expect(upload.disabled).toBe(false);
  });

  it.each([
    ['one file', [fileOf(1)], 'report.csv'],
    ['several files', [fileOf(1), fileOf(2, 'other.csv')], null],
    ['a file over the limit', [fileOf(10 * MB + 1)], null],
  ])('takes a drop of %s', async (_what, files, taken) => {
    dismissToast();
    const { dialog, picker } = await openDialog();
    const drop = new Event('drop', { bubbles: true, cancelable: true });
    Object.assign(drop, { dataTransfer: { files } });
    act(() => void picker.dispatchEvent(drop));
    expect(drop.defaultPrevented).toBe(true);
    if (taken) expect(dialog.getByText(taken)).toBeDefined();
    else expect(dialog.getByText('Drop a file here')).toBeDefined();
  });

  it('fails with the specified toast, and says in the dialog what to do', async () => {
    const { user, dialog, picker, upload } = await openDialog({
      uploadRefusal: { status: 503, message: 'There is no room left on this server.' },
    });
    await user.upload(picker, fileOf(2048));
    await user.click(upload);
    expect((await dialog.findByRole('alert')).textContent).toBe('There is no room left on this server.');
    expect(shownToast()).toEqual({
      title: 'Error',
      description: 'Failed to upload file',
      variant: 'destructive',
    });
    expect(dialog.getByText('report.csv')).toBeDefined();
    expect(upload.disabled).toBe(false);
  });

  it('goes to the login page when the session is found to be over', async () => {
    const left = Promise.withResolvers<string | URL>();
    vi.spyOn(window.location, 'assign').mockImplementation(left.resolve);
    const { user, picker, upload } = await openDialog({
      uploadRefusal: { status: 401, message: 'Unauthorized' },
    });
    await user.upload(picker, fileOf(2048));
    await user.click(upload);
    expect(await left.promise).toBe('/api/login?returnTo=%2Fstorage');
    expect(shownToast()).toMatchObject({ title: 'Unauthorized' });
  });
});

describe('a path that is taken', () => {
  async function meet(choice: string) {
    const old = mockFile({ id: idOf(710), fileName: 'report.csv', filePath: '/uploads/' });
    const page = await openDialog({ files: [old] });
    await page.user.upload(page.picker, fileOf(2048));
    await page.user.click(page.upload);
    const question = await page.dialog.findByRole('alert');
    expect(question.textContent).toContain('report.csv already exists in /uploads/');
    expect(shownToast()).toBeNull();
    expect(page.upload.disabled).toBe(true);
    expect(document.activeElement?.textContent).toBe('Keep both');
    await page.user.click(page.dialog.getByRole('button', { name: choice }));
    return page;
  }

  it.each([
    ['Replace', ['report.csv']],
    ['Keep both', ['second report.csv', 'report.csv']],
  ])('is asked about: %s', async (choice, names) => {
    const { world } = await meet(choice);
    await waitFor(() => expect(shownToast()?.title).toBe('File uploaded successfully'));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(world.files.map(({ fileName }) => fileName)).toEqual(names);
    expect(world.files[0]?.fileSize).toBe(2048);
  });

  it('is left for another, with the slashes that were left out', async () => {
    const old = mockFile({ id: idOf(710), fileName: 'report.csv', filePath: '/uploads/' });
    const { user, dialog, picker, upload, world } = await openDialog({ files: [old] });
    await waitFor(() =>
      expect([...document.querySelectorAll('datalist option')].map((it) => it.getAttribute('value'))).toEqual(
        ['/uploads/'],
      ),
    );
    await user.upload(picker, fileOf(2048));
    await user.click(upload);
    await dialog.findByRole('alert');
    await user.clear(dialog.getByLabelText('Path'));
    await user.type(dialog.getByLabelText('Path'), 'reports/2026');
    expect(dialog.queryByRole('alert')).toBeNull();
    await user.click(upload);
    await waitFor(() => expect(world.files).toHaveLength(2));
    expect(world.files[0]?.filePath).toBe('/reports/2026/');
  });
});

it('a chosen file is not lost by a click outside', async () => {
  const { user, dialog, picker } = await openDialog();
  await user.upload(picker, fileOf(2048));
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(dialog.getByText('report.csv')).toBeDefined();
});

describe('an upload under way', () => {
  beforeEach(() => {
    FakeUpload.sent = [];
    vi.stubGlobal('XMLHttpRequest', FakeUpload);
  });

  async function startUpload() {
    const page = await openDialog();
    await page.user.upload(page.picker, fileOf(4 * MB));
    await page.user.click(page.upload);
    const request = await vi.waitFor(() => {
      const [sent] = FakeUpload.sent;
      if (!sent) throw new Error('nothing was sent');
      return sent;
    });
    return { ...page, request };
  }

  it('is cancelled without a word, and can be sent again', async () => {
    dismissToast();
    const before = shownToast();
    const { user, dialog, upload, request } = await startUpload();
    await user.click(dialog.getByRole('button', { name: 'Cancel upload' }));
    expect(request.aborted).toBe(true);
    await waitFor(() => expect(upload.disabled).toBe(false));
    expect(dialog.queryByRole('progressbar')).toBeNull();
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(dialog.getByText('report.csv')).toBeDefined();
    expect(shownToast()).toEqual(before);
    await user.click(upload);
    await vi.waitFor(() => expect(FakeUpload.sent).toHaveLength(2));
  });

  it('ends when its dialog is closed', async () => {
    const { user, dialog, request } = await startUpload();
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(request.aborted).toBe(true));
  });

  it('says so when the connection breaks', async () => {
    const { dialog, request } = await startUpload();
    act(() => request.fail());
    expect((await dialog.findByRole('alert')).textContent).toContain("Can't reach the server");
    expect(shownToast()?.description).toBe('Failed to upload file');
  });

  it('survives an answer that is not ours', async () => {
    const { dialog, request } = await startUpload();
    act(() => request.answer(413, '<h1>Request Entity Too Large</h1>'));
    expect((await dialog.findByRole('alert')).textContent).toBe('Failed to upload file');
  });
});

import type { StoredFile } from '@nephos/contracts';

/** Files that are fetched at a time: full rows of one, two and three cards. */
const PAGE_SIZE = 60;

/** Input of the file list's first page. */
export const FIRST_FILES = { limit: PAGE_SIZE };

export const FILE_PAGES = {
  getNextPageParam: (page: readonly StoredFile[]) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
};

import { FILE_SORTS } from '@nephos/contracts/constants';
import { useSearch } from '@tanstack/react-router';
import { firstOf, listPageSearch, listSearch } from '../../lib/list-view.ts';

/** Where one looks: absent, at all files of the console's bucket. */
export interface StoragePlace {
  /** Id of a bucket. */
  bucket?: string | undefined;
  /** Begins and ends with a slash. */
  folder?: string | undefined;
}

function placeOf({ bucket, folder }: Record<string, unknown>): StoragePlace {
  return {
    bucket: typeof bucket === 'string' && /^[\da-f-]{36}$/.test(bucket) ? bucket : undefined,
    folder: typeof folder === 'string' && /^\/(?:[^/]+\/)*$/.test(folder) ? folder : undefined,
  };
}

/** What the page reads from its address. */
export function storageSearch(search: Record<string, unknown>) {
  return { ...listPageSearch(FILE_SORTS)(search), ...placeOf(search) };
}

/** Input of the list's first page. */
export function firstFiles(search: Record<string, unknown>) {
  return { ...firstOf(listSearch(FILE_SORTS, search)), ...inputOf(placeOf(search)) };
}

/** A place as rows of the contract take it. */
export function inputOf({ bucket, folder }: StoragePlace) {
  return { ...(bucket !== undefined && { bucketId: bucket }), ...(folder !== undefined && { folder }) };
}

/** Where the page in sight looks. */
export function useStoragePlace(): StoragePlace {
  return placeOf(useSearch({ strict: false }));
}

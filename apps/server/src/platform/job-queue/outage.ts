import { isDatabaseUnavailable } from '../database/database.ts';
import { STORAGE_UNAVAILABLE } from '../object-storage/object-storage.ts';

interface Failure {
  code: string;
  message: string;
}

/** Whether a failure means that the database or the storage could not be reached, or that a disk failed to answer. */
export const isOutage = ({ code, message }: Failure): boolean =>
  isDatabaseUnavailable(Object.assign(new Error(message), { code })) ||
  message.startsWith(STORAGE_UNAVAILABLE) ||
  /\bEIO\b/.test(`${code} ${message}`);

/** Whether a disk, a quota or the database is full: what failed works again when there is space. */
export const isStorageFull = ({ code, message }: Failure): boolean =>
  code === 'server/storage-full' || code === '53100' || /ENOSPC|EDQUOT|no space left/i.test(`${code} ${message}`);

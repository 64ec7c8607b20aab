import { isDatabaseUnavailable } from '../database/database.ts';
import { STORAGE_UNAVAILABLE } from '../object-storage/object-storage.ts';

/** Whether a failure means that the database or the storage could not be reached. */
export const isOutage = ({ code, message }: { code: string; message: string }): boolean =>
  isDatabaseUnavailable(Object.assign(new Error(message), { code })) || message.startsWith(STORAGE_UNAVAILABLE);

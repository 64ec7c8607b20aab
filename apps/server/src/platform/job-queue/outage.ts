import { isDatabaseUnavailable } from '../database/database.ts';

/** Whether a failure means that the database or the storage could not be reached. */
export const isOutage = ({ code, message }: { code: string; message: string }): boolean =>
  isDatabaseUnavailable(Object.assign(new Error(message), { code })) ||
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN/.test(message);

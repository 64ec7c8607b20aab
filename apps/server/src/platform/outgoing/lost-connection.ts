const CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
]);

/** Whether an error of a client means that it cannot reach its server, or has lost it. */
export const isLostConnection = (error: Error): boolean => CODES.has(String((error as { code?: unknown }).code));

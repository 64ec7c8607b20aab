/**
 * Limit of one address on a route that reads whole files for one answer: more than anybody needs who works by hand, few enough
 * that nobody keeps the server busy alone. RATE_LIMIT=0 lifts it with all others.
 */
export const COSTLY = { rateLimit: { max: 60, timeWindow: '1 minute' } } as const;

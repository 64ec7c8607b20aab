/**
 * Rate limit per address for routes that read whole files: more than manual work needs, few enough
 * that one client cannot occupy the server. RATE_LIMIT=0 lifts it along with all others.
 */
export const COSTLY = { rateLimit: { max: 60, timeWindow: '1 minute' } } as const;

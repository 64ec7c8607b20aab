import { vi } from 'vitest';

/** `vi.waitFor` with patience: its one second is no time on a busy machine. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> => vi.waitFor(look, { timeout: 20_000 });

import type { Backend } from './backend.ts';
import { plainBackend } from './plain/plain-backend.ts';
import { openSystemBackend } from './system/system-library.ts';

let chosen: Backend | undefined;

/** The linear algebra in use: the system's library, or the plain one if none is found (reported once on stderr). */
export function backend(): Backend {
  if (chosen === undefined) {
    const { found, tried } = openSystemBackend();
    chosen = found ?? plainBackend;
    if (found === undefined && tried.length > 0) {
      process.stderr.write(
        `heterosis: no OpenBLAS library could be loaded (tried ${tried.join('; ')}); the built-in linear algebra is used, ` +
          'which gives the same results many times slower. On Debian: apt-get install libopenblas0-pthread\n',
      );
    }
  }
  return chosen;
}

/** Runs `action` with another backend, for tests that compare the two. */
export function withBackend<T>(other: Backend, action: () => T): T {
  const previous = chosen;
  chosen = other;
  try {
    return action();
  } finally {
    chosen = previous;
  }
}

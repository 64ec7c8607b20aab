import * as linearAlgebra from '@heterosis/statgen/linear-algebra';

/**
 * Environment variables with which a process of heavy analyses should be started, beside its own: the linear algebra
 * library chooses its kernels when it is loaded. Empty when nothing is to be changed.
 */
export function computeEnvironment(): Record<string, string> {
  return linearAlgebra.computeEnvironment();
}

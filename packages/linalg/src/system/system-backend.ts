import type { Backend } from '../backend.ts';
import { bindRoutines, type NativeLibrary } from './fortran.ts';
import { systemCholesky } from './system-cholesky.ts';
import { systemEigen } from './system-eigen.ts';
import { systemProducts } from './system-products.ts';
import { Workspace } from './workspace.ts';

/** The routines of a loaded library. */
export function systemBackend(library: NativeLibrary, path: string, name: 'openblas' | 'accelerate'): Backend {
  const routines = bindRoutines(library);
  return {
    name,
    path,
    ...systemProducts(routines),
    ...systemCholesky(routines),
    ...systemEigen(routines, new Workspace()),
  };
}

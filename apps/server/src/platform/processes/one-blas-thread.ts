/**
 * Lets OpenBLAS compute with one thread in this process, as it has to where threads of ours compute beside requests
 * while children are started: when a process forks, OpenBLAS stops the threads of its own (`pthread_atfork` in its
 * `blas_server.c`), and a product that is under way waits for them for ever, with one core busy. To be called before
 * the library is loaded. Children compute in processes of their own and are told their number of threads.
 */
export function useOneBlasThread(): void {
  process.env.OPENBLAS_NUM_THREADS = '1';
}

import { openRuntime, printLine, runProcess, work } from './runtime.ts';

/** Runs jobs from the queue until stopped. */
await runProcess(async () => {
  const runtime = await openRuntime({ isWorker: true, migrate: false });
  await work(runtime);
  printLine('Heterosis worker ready');
  return runtime;
});

import { openRuntime, printLine, runProcess, work } from './runtime.ts';

/** Takes jobs from the queue until it is stopped. */
await runProcess(async () => {
  const runtime = await openRuntime({ isWorker: true, migrate: false });
  await work(runtime);
  printLine('Heterosis worker ready');
  return runtime;
});

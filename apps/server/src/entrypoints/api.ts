import { openRuntime, printLine, runProcess, serve } from './runtime.ts';

/** Answers requests; computes nothing. */
await runProcess(async () => {
  const runtime = await openRuntime({ isWorker: false, migrate: false });
  await serve(runtime);
  printLine(`Heterosis API at ${runtime.config.publicUrl}`);
  return runtime;
});

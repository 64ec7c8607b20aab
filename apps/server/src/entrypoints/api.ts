import { openRuntime, printLine, printOutbox, runProcess, serve } from './runtime.ts';

/** Serves requests; never computes. */
await runProcess(async () => {
  const runtime = await openRuntime({ isWorker: false, migrate: false });
  await serve(runtime);
  printLine(`Heterosis API at ${runtime.config.publicUrl}`);
  printOutbox(runtime.config);
  return runtime;
});

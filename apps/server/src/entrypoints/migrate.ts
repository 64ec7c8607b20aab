import { openRuntime, printLine, runProcess } from './runtime.ts';

/** Migrates the database; safe to run from several machines at once. */
await runProcess(async () => {
  const runtime = await openRuntime({ isWorker: false, migrate: true });
  printLine('The database is up to date');
  await runtime.close();
  process.exit(0);
});

import { openRuntime, printLine, runProcess } from './runtime.ts';

/** Brings the database up to date; safe from several machines at once. */
await runProcess(async () => {
  const runtime = await openRuntime({ isWorker: false, migrate: true });
  printLine('The database is up to date');
  await runtime.close();
  process.exit(0);
});

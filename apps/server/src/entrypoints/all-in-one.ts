import { openRuntime, printLine, runProcess, serve, work } from './runtime.ts';

/** `npm start`: database, API, web application and a worker in one command. */
await runProcess(async () => {
  const runtime = await openRuntime({ isWorker: true, migrate: true });
  try {
    const { config } = runtime;
    await serve(runtime);
    printLine(`Heterosis is ready: ${config.publicUrl}`);
    if (config.mail.kind === 'outbox')
      printLine(`Sign-in mails are not sent: their links appear here and at ${config.publicUrl}/dev/outbox`);
    await work(runtime);
    return runtime;
  } catch (error) {
    await runtime.close();
    throw error;
  }
});

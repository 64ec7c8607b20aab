import { createDemo, DEMO_EMAIL } from '../features/operation/demo/index.ts';
import { openRuntime, printLine, printOutbox, type Runtime, runProcess, serve, work } from './runtime.ts';

/** `npm start`: database, API, web application and a worker in one command. */
await runProcess(async () => {
  const runtime = await openRuntime({ isWorker: true, migrate: true });
  try {
    const { config } = runtime;
    await serve(runtime);
    await work(runtime);
    printLine(`Heterosis is ready: ${config.publicUrl}`);
    printOutbox(config);
    if (config.demo) offerDemo(runtime);
    return runtime;
  } catch (error) {
    await runtime.close();
    throw error;
  }
});

/**
 * Creates the demo in the background. The demo user's mails stay in the outbox, so anyone at this machine can sign
 * in.
 */
function offerDemo({ services, logger, onClose }: Runtime): void {
  const stop = new AbortController();
  const made = createDemo(services, stop.signal).then(
    (isThere) => {
      if (isThere)
        printLine(
          `The demo organization with maize, barley and simulated tetraploids is ready: sign in as ${DEMO_EMAIL}`,
        );
    },
    (error: unknown) => {
      if (!stop.signal.aborted) logger.error({ err: error }, 'the demo could not be made');
    },
  );
  onClose(async () => {
    stop.abort();
    await made;
  });
}

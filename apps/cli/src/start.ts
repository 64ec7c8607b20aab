import { runProgram } from './main.ts';

// A closed standard error (`2>&1 | head`) must not end an analysis; printing handles its own failures.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
process.exitCode = await runProgram(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  restart: async (environment) => (await import('./restart.ts')).restart(environment),
});

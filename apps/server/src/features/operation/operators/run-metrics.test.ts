import { expect, test } from 'vitest';
import { settledFile } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, project } = await startProject({ withWorker: false });

async function figures(): Promise<Map<string, number>> {
  const { body, statusCode } = await product.app.inject('/metrics');
  expect(statusCode).toBe(200);
  return new Map(
    body
      .split('\n')
      .filter((line) => line.startsWith('heterosis_'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

test('an operator sees what waits, how long, how runs ended, and who is connected', async () => {
  const bytes = 'line,Yield\nL1,5.1\nL2,6.2\n';
  const file = await product.upload(owner, project, { name: 'p.csv', fileType: 'PHENOTYPE', bytes });
  const before = await figures();
  const labels = '{queue="lane-short",job="check-file"}';
  expect(before.get('heterosis_jobs{queue="lane-short",job="check-file",state="waiting"}')).toBe(1);
  expect(before.get(`heterosis_jobs_oldest_waiting_seconds${labels}`)).toBeGreaterThanOrEqual(0);
  expect(before.get('heterosis_event_streams')).toBe(0);
  expect(before.get('heterosis_database_connections{state="idle"}')).toBeGreaterThan(0);
  expect(before.has('heterosis_runs_last_hour{kind="import",state="SUCCEEDED"}')).toBe(false);

  await product.startWorker();
  await settledFile(owner, project, file.id);
  const after = await figures();
  expect(after.get('heterosis_runs_last_hour{kind="import",state="SUCCEEDED"}')).toBe(1);
  expect(after.get('heterosis_run_duration_seconds_last_hour{kind="import",quantile="0.5"}')).toBeGreaterThan(0);
  expect(after.has(`heterosis_jobs_oldest_waiting_seconds${labels}`)).toBe(false);
});

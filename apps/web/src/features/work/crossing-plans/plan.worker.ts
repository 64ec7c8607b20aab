import { unpackPlanTables } from '@heterosis/statgen/mating/plan-tables';
import { createAnswerer, type PlanAnswer, type PlanQuestion } from './plan-answer.ts';

/** First the bytes of the tables, then questions, each with a number that its answer repeats. */
export type ToPlanWorker = { tables: ArrayBuffer } | { number: number; question: PlanQuestion };
export type FromPlanWorker = { number: number; milliseconds: number } & ({ answer: PlanAnswer } | { reason: string });

let answer: ReturnType<typeof createAnswerer> | undefined;

addEventListener('message', ({ data }: MessageEvent<ToPlanWorker>) => {
  if ('tables' in data) {
    answer = createAnswerer(unpackPlanTables(new Uint8Array(data.tables)));
    return;
  }
  const { number, question } = data;
  const begun = performance.now();
  const reply = (rest: { answer: PlanAnswer } | { reason: string }): void =>
    postMessage({ number, milliseconds: performance.now() - begun, ...rest } satisfies FromPlanWorker);
  try {
    if (answer === undefined) throw new Error('the tables come before questions');
    reply({ answer: answer(question) });
  } catch (error) {
    reply({ reason: error instanceof Error ? error.message : String(error) });
  }
});
